import type { Finding, Witness } from '@zonewright/core';
import type { ConfigurationRule, Evaluation } from '@zonewright/engine';
import { cookiesOf } from '@zonewright/engine/internals';
import type { Clauses } from '../solver/clauses.ts';
import { holdsIn, type Model, valueIn, witnessOf } from '../solver/model.ts';
import type { Variable } from '../solver/predicates.ts';
import { type AddressPart, partsOfWord } from '../texts/address-words.ts';
import { type AnalysedRule, reachedIn } from './analysed-rules.ts';
import { finding, named } from './finding.ts';
import { casesAfter, memberOf, overrides, writes } from './setting-findings.ts';
import { isFrom, type ZoneAnalysis } from './zone-analysis.ts';

type Rule = AnalysedRule<ConfigurationRule>;

const hazardous =
  /^(?:defaultBackend|backendPortOverride|headersRequestSet|minifyHtml|processingSsi|processingEsi|imageOptimization.*)$/;
/** Without the scheme, which every key has. */
const parts: readonly AddressPart[] = ['query', 'host', 'path'];

/** Settings that change the response for requests that share a cached object. */
export const cacheHazards = (zone: ZoneAnalysis, live: readonly Rule[]): readonly Finding[] =>
  live.flatMap((rule) =>
    Object.keys(overrides(rule))
      .filter((key) => hazardous.test(key))
      .flatMap((key) => (zone.isOver ? [] : (hazard(zone, live, rule, key) ?? []))),
  );

function hazard(zone: ZoneAnalysis, live: readonly Rule[], rule: Rule, key: string): Finding | undefined {
  const writers = live.filter((each) => each.place > rule.place && writes(each, key));
  const cacheable = [zone.predicates.ofFact('method', ['GET'])];
  const isStatic = zone.predicates.ofLeaf({ field: 'extension', operator: 'equals', target: '', value: 'css' });
  for (const after of casesAfter(rule, live, writers).slice(0, maxCases)) {
    for (const kind of [[], [[isStatic]]] as const) {
      let other: Counterpart | undefined;
      const clauses = [...reachedIn(live, rule), ...after(), cacheable, ...kind];
      const witness = zone.witness(clauses, rule.list, (evaluation, _, model) => {
        if (!isFrom(evaluation, key, rule.id) || hashOf(evaluation) === undefined) return false;
        other = counterpart(zone, rule, key, model, evaluation);
        return other !== undefined;
      });
      if (witness !== undefined && other !== undefined) return hazardFinding(live, rule, key, witness, other);
    }
  }
  return undefined;
}

/** Maximum number of ways to try in which later rules keep a value. */
const maxCases = 4;

function hazardFinding(live: readonly Rule[], rule: Rule, key: string, witness: Witness, other: Counterpart): Finding {
  const { request: counterpart, missing, from } = other;
  return finding({
    code: 'cacheKey.hazard',
    message: `${key} of ${named(rule)} depends on parts of the request that the cache key lacks (${missing.join(', ')}), so one cached object is served for different values.`,
    rules: [rule],
    members: [memberOf(rule, key)],
    because: live.filter(({ id }) => id === from),
    missing,
    witness,
    counterpart,
  });
}

interface Counterpart {
  readonly request: Witness;
  readonly missing: readonly string[];
  /** The source of its value. */
  readonly from: string;
}

/** The hash of the request's cache key; undefined if it is not served from the cache. */
const hashOf = ({ disposition, cache }: Evaluation): string | undefined =>
  disposition === 'serve' && cache?.eligible === 'true' ? cache.key?.sha256 : undefined;

/**
 * A request that differs in one variable, shares the cached object, and gets a different value from before the rule.
 */
function counterpart(
  zone: ZoneAnalysis,
  rule: Rule,
  key: string,
  model: Model,
  evaluation: Evaluation,
): Counterpart | undefined {
  const before = zone.rules.configurationRules.filter(({ place }) => place < rule.place).map(({ id }) => id);
  const variables = new Set(rule.formula.literals.map(({ predicate: { variable } }) => variable));
  for (const variable of variables) {
    for (const changed of changes(zone, rule, model, variable)) {
      const request = witnessOf(changed);
      const other = zone.evaluate(request);
      const from = other === undefined ? undefined : differs(evaluation, other, key);
      if (from === undefined || (from !== 'zone' && !before.includes(from))) continue;
      return { request, missing: missingFor(variable, model, changed), from };
    }
  }
  return undefined;
}

/** The source of the other value; undefined unless the object is the same and the value differs. */
function differs(one: Evaluation, other: Evaluation, key: string): string | undefined {
  const [first, second] = [one.settings?.[key], other.settings?.[key]];
  if (first === undefined || second === undefined || !('from' in first) || !('from' in second)) return undefined;
  const isSame = JSON.stringify(first.value) === JSON.stringify(second.value);
  return !isSame && hashOf(one) === hashOf(other) ? second.from : undefined;
}

/** Models in which only the variable differs, so that the rule does not match. */
function changes(zone: ZoneAnalysis, rule: Rule, model: Model, variable: Variable): readonly Model[] {
  const clauses: Clauses = rule.formula.fails
    .filter((clause) => !clause.some((each) => each.predicate.variable !== variable && holdsIn(model, each)))
    .map((clause) => clause.filter(({ predicate }) => predicate.variable === variable));
  const address = partsOfWord(valueIn(model, 'address') ?? '');
  const fixings = variable === 'address' ? parts.map((part) => ({ ...address, [part]: undefined })) : [{}];
  return fixings.flatMap((fixed) => {
    const answer = zone.sent(clauses, fixed);
    return typeof answer === 'string' ? [] : [new Map([...model, [variable, valueIn(answer, variable)]])];
  });
}

function missingFor(variable: Variable, one: Model, other: Model): readonly string[] {
  if (variable === 'address') {
    const [first, second] = [one, other].map((model) => partsOfWord(valueIn(model, 'address') ?? ''));
    return parts.filter((part) => first?.[part] !== second?.[part]).toSorted();
  }
  if (variable !== 'header:cookie') return [variable];
  const [first = [], second = []] = [one, other].map((model) =>
    cookiesOf(new Map([['cookie', valueIn(model, variable) ?? '']])),
  );
  const valuesOf = (cookies: typeof first, name: string): string =>
    JSON.stringify(cookies.filter((cookie) => cookie.name === name).map(({ value }) => value));
  const names = new Set([...first, ...second].map(({ name }) => name));
  return [...names]
    .filter((name) => valuesOf(first, name) !== valuesOf(second, name))
    .map((name) => `cookie:${name}`)
    .toSorted();
}
