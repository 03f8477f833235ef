import type { Finding } from '@zonewright/core';
import {
  type Configuration,
  compile,
  type Engine,
  type Evaluation,
  parseConfiguration,
  type RequestFacts,
} from '@zonewright/engine';
import * as fc from 'fast-check';
import { okOf } from '../../engine/test/outcomes.ts';
import { documentOf, originServer, stepsOf, type ZoneDraft } from '../../engine/test/zones.ts';
import { findings } from '../src/index.ts';
import { conditions, reading, someFacts } from './arbitraries.ts';

const key = fc.constantFrom('cachingDefaultTtl', 'staleIfErrorSeconds');
const headers = fc.constantFrom(
  { headersResponseRemove: ['X-A'] },
  { headersResponseSet: [{ name: 'x-a', value: '1' }] },
  { headersResponseAdd: [{ name: 'X-A', value: '2' }] },
);

/** Zones whose rules often cover, equal or override each other, with this many configuration rules. */
export const zoneWith = (rules: { readonly minLength?: number; readonly maxLength: number }): fc.Arbitrary<ZoneDraft> =>
  fc.record({
    settings: reading,
    access: fc.array(
      fc.record({
        conditions: conditions(2),
        action: fc.constantFrom('block', 'allow', 'skip', 'skip'),
        skipTargets: fc.constant(['waf']),
        stopOnMatch: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    rewrites: fc.array(
      fc.record({
        operator: fc.constantFrom('equals', 'starts_with'),
        sourcePattern: fc.constantFrom('/a', '/a/', '/b', '/'),
        target: fc.constantFrom('/a', '/b', '/a/b', '/b?p=a', '/a//b', '/a%2F'),
        type: fc.constantFrom('rewrite', 'rewrite', 'redirect'),
        preserveQueryString: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
    rules: fc.array(
      fc.record({
        conditions: conditions(2),
        stopOnMatch: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
        settingsOverrides: fc.oneof(
          fc.tuple(key, fc.integer({ min: 0, max: 9 })).map(([name, value]) => ({ [name]: value })),
          headers,
        ),
      }),
      rules,
    ),
    scenarios: fc.array(
      conditions(2).map((filter) => ({ filter })),
      { maxLength: 2 },
    ),
  });

const phases = {
  accessRules: 'accessRules',
  rewriteRules: 'rewriteRules',
  configurationRules: 'configurationRules',
  securityScenarios: 'security',
} as const;

type RuleId = Finding['rules'][number];

const outcome = (evaluation: Evaluation, { list, id }: RuleId): unknown =>
  stepsOf(evaluation, phases[list]).find((step) => step['rule'] === id)?.['outcome'];

/** The configuration without the lists that a finding disregards. */
const alone = (configuration: Configuration, { list }: RuleId): Configuration => ({
  ...configuration,
  accessRules: list === 'accessRules' ? configuration.accessRules : [],
  rewriteRules: list === 'rewriteRules' ? configuration.rewriteRules : [],
});

const from = (evaluation: Evaluation, member: string): unknown => {
  const setting = evaluation.settings?.[member.split('.').at(-1) ?? ''];
  return setting !== undefined && 'from' in setting ? setting.from : undefined;
};

/** Whether an evaluation, without those lists, contradicts a proven finding. */
function contradicts({ code, rules, members }: Finding, evaluation: Evaluation): boolean {
  const [rule, other] = rules;
  if (rule === undefined) return true;
  const result = outcome(evaluation, rule);
  const isLooked = result === 'matched' || result === 'notMatched';
  switch (code) {
    case 'rule.neverMatches':
    case 'rule.unreachable':
      return result === 'matched';
    case 'rule.alwaysMatches':
      return isLooked && result === 'notMatched';
    case 'rule.equal': {
      const second = other && outcome(evaluation, other);
      return isLooked && (second === 'matched' || second === 'notMatched') && result !== second;
    }
    case 'override.dead':
      return from(evaluation, members[0] ?? '') === rule.id;
    case 'rule.hiddenByRewrite':
      return result === 'matched';
    default:
      return false;
  }
}

/** The errors in the findings of a zone, according to the engine's evaluation of requests. */
function wrongIn(draft: ZoneDraft, requests: readonly RequestFacts[]): string | undefined {
  const configuration = okOf(parseConfiguration(documentOf(draft), { originServers: [originServer] }));
  const engines = new Map<string, Engine>();
  for (const finding of findings(configuration).findings) {
    const [rule] = finding.rules;
    if (finding.verdict !== 'proven' || rule === undefined) continue;
    const isHidden = finding.code === 'rule.hiddenByRewrite';
    const name = isHidden ? 'hidden' : rule.list;
    const engine =
      engines.get(name) ?? compile(isHidden ? { ...configuration, accessRules: [] } : alone(configuration, rule));
    engines.set(name, engine);
    const shown = requests.find((each) => contradicts(finding, engine.evaluate(each)));
    if (shown !== undefined) return `${finding.message} ${JSON.stringify(shown)}`;
  }
  return undefined;
}

/** Checks generated zones against generated requests. */
export const checkSoundness = (zones: number, requests: number): void =>
  fc.assert(
    fc.property(zoneWith({ maxLength: 6 }), someFacts(requests), (draft, each) => {
      const wrong = wrongIn(draft, each);
      if (wrong !== undefined) throw new Error(wrong);
    }),
    { numRuns: zones },
  );

/** Faults to seed into a zone, named by the finding they cause. */
export const faults = [
  'rule.unreachable',
  'override.dead',
  'settings.contradiction',
  'rule.equal',
  'redirect.loop',
] as const;

/** A zone with such a fault at its end. */
function faulty(draft: ZoneDraft, fault: (typeof faults)[number], set: object): ZoneDraft {
  const [access, rules] = [[], draft.rules ?? []] as const;
  const rule = (settingsOverrides: object, stopOnMatch = false) => ({
    conditions: set,
    settingsOverrides,
    stopOnMatch,
  });
  const plain = rules.map((each) => ({ ...each, stopOnMatch: false }));
  switch (fault) {
    case 'rule.unreachable':
      return { ...draft, rules: [rule({}, true), ...rules, rule({ minifyHtml: true })] };
    case 'override.dead':
      return { ...draft, rules: [...plain, rule({ minifyHtml: true }), rule({ minifyHtml: false })] };
    case 'rule.equal':
      return { ...draft, rules: [rule({ minifyHtml: true }), ...plain, rule({ minifyHtml: true })] };
    case 'settings.contradiction': {
      const pair = [rule({ imageOptimizationPngQualityMin: 90 }), rule({ imageOptimizationPngQualityMax: 10 })];
      return { access, rules: [...plain, ...pair] };
    }
    case 'redirect.loop': {
      const redirect = (sourcePattern: string, target: string) => ({
        operator: 'equals',
        sourcePattern,
        target,
        type: 'redirect',
      });
      return {
        ...draft,
        access,
        rewrites: [redirect('/l/1', '/l/2'), redirect('/l/2', '/l/1'), ...(draft.rewrites ?? [])],
      };
    }
  }
}

/** The share of zones with this many rules and a seeded fault whose findings report it. */
export function shareFound(fault: (typeof faults)[number], zones: number, rules: number): number {
  const zone = zoneWith({ minLength: rules, maxLength: rules });
  const drafts = fc.sample(fc.tuple(zone, conditions(2)), { numRuns: zones, seed: 1 });
  const judged = drafts.flatMap(([draft, set]) => {
    const seeded = faulty(draft, fault, set);
    const configuration = okOf(parseConfiguration(documentOf(seeded), { originServers: [originServer] }));
    const last = fault === 'redirect.loop' ? 'rewrite2' : `rule${seeded.rules?.length}`;
    const found = findings(configuration).findings.filter((each) => each.rules.some(({ id }) => id === last));
    const codes = found.map(({ code }) => code);
    // A rule that never matches has no other fault.
    return codes.includes('rule.neverMatches') || codes.includes('rule.hiddenByRewrite') ? [] : [codes.includes(fault)];
  });
  return judged.filter(Boolean).length / judged.length;
}
