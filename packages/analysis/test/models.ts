import { compile, parseConfiguration, parseFacts } from '@zonewright/engine';
import { canonicalRequest } from '../../engine/src/request/canonical-request.ts';
import { okOf } from '../../engine/test/outcomes.ts';
import { documentOf, stepsOf } from '../../engine/test/zones.ts';
import type { Formula } from '../src/solver/clauses.ts';
import { formulaOf } from '../src/solver/clauses.ts';
import type { Model } from '../src/solver/model.ts';
import { Predicates, type Variable, type VariableValue } from '../src/solver/predicates.ts';
import { addressWord } from '../src/texts/address-words.ts';

type Members = Readonly<Record<string, unknown>>;

/** The variables of a request; undefined if it is rejected. */
export function modelOf(facts: Members): Model | undefined {
  const canonical = canonicalRequest(okOf(parseFacts(facts)), 'rfc3986');
  if (!canonical.ok) return undefined;
  const { method, headers, facts: known } = canonical.value;
  return new Map<Variable, VariableValue>([
    ['address', addressWord(canonical.value)],
    ['method', method],
    ['ip', known.ip?.text ?? null],
    ['country', known.country ?? null],
    ['asn', known.asn?.toString() ?? null],
    ['status', known.status?.toString() ?? null],
    ...[...headers].map(([name, value]) => [`header:${name}`, value] as const),
  ]);
}

/** Conditions as the analysis sees them, and the engine's result for a request. */
export function bothViews(conditions: Members): {
  readonly formula: Formula;
  readonly result: (facts: Members) => unknown;
} {
  const settings = { pathNormalization: 'rfc3986' };
  const document = documentOf({ settings, access: [{ conditions, action: 'skip', skipTargets: ['waf'] }] });
  const configuration = okOf(parseConfiguration(document, {}));
  const engine = compile(configuration);
  const [rule] = configuration.accessRules;
  if (rule === undefined) throw new Error('The zone has a rule.');
  return {
    formula: formulaOf(rule.conditions, new Predicates()),
    result: (facts) => stepsOf(engine.evaluate(okOf(parseFacts(facts))), 'accessRules')[0]?.['outcome'],
  };
}

/** The engine's name for a result. */
export const outcomeOf = (holds: boolean): string => (holds ? 'matched' : 'notMatched');
