import type { BehaviourDiff } from '@zonewright/core';
import {
  type Configuration,
  compile,
  type Evaluation,
  parseConfiguration,
  parseFacts,
  type RequestFacts,
} from '@zonewright/engine';
import * as fc from 'fast-check';
import { okOf } from '../../engine/test/outcomes.ts';
import { documentOf, originServer, type ZoneDraft } from '../../engine/test/zones.ts';
import { behaviourDiff } from '../src/index.ts';
import { conditions, reading, someFacts } from './arbitraries.ts';

type Members = Readonly<Record<string, unknown>>;

const balancer = {
  id: 'pool',
  method: 'random',
  origins: [{ originServer: 'origin-1' }, { originServer: 'origin-2' }],
};
const backends = (address: string): Members => ({
  originServers: [originServer, { ...originServer, id: 'origin-2', address }, { ...originServer, id: 'same' }],
  loadBalancers: [balancer],
});

const backendId = fc.constantFrom('origin-1', 'origin-2', 'same', 'gone', 'pool');
const override = fc.oneof(
  fc.record({ cachingDefaultTtl: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ minifyHtml: fc.boolean() }),
  fc.record({ enabled: fc.boolean() }),
  fc.record({ underAttack: fc.boolean() }),
  fc.record({ securityEnabled: fc.boolean() }),
  fc.record({ customPagesMaintenanceActive: fc.boolean() }),
  fc.record({ basicAuth: fc.record({ enabled: fc.boolean(), allowedUserIds: fc.constantFrom([], ['u1']) }) }),
  fc.record({ customPagesErrorHtml: fc.constantFrom('<a>', '<b>') }),
  backendId.map((id) => ({ defaultBackend: { type: id === 'pool' ? 'load_balancer' : 'origin_server', id } })),
);

const access = fc.record({
  conditions: conditions(2),
  action: fc.constantFrom('block', 'allow', 'skip', 'skip', 'challenge'),
  skipTargets: fc.constantFrom(['waf'], ['scenarios'], ['underAttack', 'waf']),
  stopOnMatch: fc.boolean(),
});
const rewrite = fc
  .record({
    operator: fc.constantFrom('equals', 'starts_with', 'regex'),
    sourcePattern: fc.constantFrom('/a', '/a/', '/b', '/'),
    target: fc.constantFrom('/a', '/b', '/a/b', '/b?p=a', '/', '/b/', '/b//a'),
    type: fc.constantFrom('rewrite', 'rewrite', 'redirect'),
    statusCode: fc.constantFrom(301, 302),
    preserveQueryString: fc.boolean(),
    conditions: fc.option(conditions(1)),
  })
  .map((rule) => (rule.operator === 'regex' ? { ...rule, sourcePattern: '^/(a+)', target: `${rule.target}$1` } : rule))
  .map((rule) => (rule.type === 'redirect' ? rule : { ...rule, statusCode: null }));
const rule = fc.record({
  conditions: conditions(2),
  stopOnMatch: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
  settingsOverrides: fc.oneof(
    override,
    fc.tuple(override, override).map(([one, other]) => ({ ...one, ...other })),
  ),
});
const scenario = fc.record({ filter: conditions(2), trigger: fc.constantFrom(1, 2) });

const named = <T extends object>(each: fc.Arbitrary<T>, prefix: string, maxLength: number) =>
  fc.array(each, { maxLength }).map((list) => list.map((member, at) => ({ ...member, name: `${prefix}${at}` })));

/** Zones in which rules decide a lot. */
const zone: fc.Arbitrary<ZoneDraft> = fc.record({
  settings: fc.tuple(reading, fc.oneof(fc.constant({}), override)).map(([one, other]) => ({ ...one, ...other })),
  access: named(access, 'a', 3),
  rewrites: named(rewrite, 'w', 2),
  rules: named(rule, 'c', 4),
  scenarios: named(scenario, 's', 2),
});

const changedReading = fc.constantFrom({ pathNormalization: 'strict' }, { pathNormalization: 'rfc3986' });

const lists = ['access', 'rewrites', 'rules', 'scenarios'] as const;

/** A zone with one change. */
const mutation = (draft: ZoneDraft): fc.Arbitrary<ZoneDraft> => {
  const news = { access, rewrites: rewrite, rules: rule, scenarios: scenario };
  return fc
    .tuple(
      fc.constantFrom(...lists),
      fc.constantFrom('add', 'remove', 'move', 'change', 'settings'),
      fc.nat(),
      fc.nat(),
    )
    .chain(([list, kind, at, to]): fc.Arbitrary<ZoneDraft> => {
      const rules = draft[list] ?? [];
      const place = at % (rules.length + 1);
      const chosen = rules[place];
      const others = rules.filter((each) => each !== chosen);
      const target = to % (others.length + 1);
      if (kind === 'settings')
        return fc
          .oneof({ weight: 3, arbitrary: override }, { arbitrary: changedReading, weight: 1 })
          .map((more) => ({ ...draft, settings: { ...draft.settings, ...more } }));
      if (kind === 'remove') return fc.constant({ ...draft, [list]: others });
      if (kind === 'move' && chosen !== undefined) {
        return fc.constant({ ...draft, [list]: others.toSpliced(target, 0, chosen) });
      }
      return (news[list] as fc.Arbitrary<Members>).map((made) => ({
        ...draft,
        [list]: rules.toSpliced(place, kind === 'change' ? 1 : 0, made),
      }));
    });
};

/** Two zones: the second is the first one with a few changes, or a different one. */
export const mutatedZones: fc.Arbitrary<readonly [ZoneDraft, ZoneDraft]> = fc.oneof(
  { weight: 6, arbitrary: zone.chain((draft) => mutation(draft).map((other) => [draft, other] as const)) },
  {
    weight: 2,
    arbitrary: zone.chain((draft) =>
      mutation(draft)
        .chain(mutation)
        .map((other) => [draft, other] as const),
    ),
  },
  fc.tuple(zone, zone),
);

const configurationOf = (draft: ZoneDraft, address: string): Configuration =>
  okOf(
    parseConfiguration(
      { ...documentOf(draft), basicAuthUsers: { u1: { username: 'ann' }, u2: { username: 'bob' } } },
      backends(address),
    ),
  );

const stepsOf = (
  evaluation: Evaluation,
  phase: string,
): readonly { rule: string; outcome: string; action?: string }[] =>
  evaluation.phases?.flatMap((each) => (each.phase === phase && 'steps' in each ? [...each.steps] : [])) ?? [];
const matched = (evaluation: Evaluation, phase: string) =>
  stepsOf(evaluation, phase).filter(({ outcome }) => outcome === 'matched');

interface Seen {
  readonly from: unknown;
  readonly because: readonly string[];
  /** For backends. */
  readonly name?: string;
}

/** The treatment of a request, by change key, according to an evaluation and its document. */
function seenBy(configuration: Configuration, evaluation: Evaluation): ReadonlyMap<string, Seen> {
  const { disposition, status = 0, location = '', settings, phases = [], origin } = evaluation;
  const written = (key: string): readonly string[] => {
    const setting = settings?.[key];
    return setting !== undefined && 'from' in setting && setting.from !== 'zone' ? [setting.from] : [];
  };
  const ender = matched(evaluation, 'accessRules').find(({ action }) => action === 'block' || action === 'challenge');
  const by: Record<string, readonly string[]> = {
    challenge: written('underAttack'),
    unauthorized: written('basicAuth'),
    maintenance: written('customPagesMaintenanceActive'),
    noBackend: written('defaultBackend'),
    redirect: matched(evaluation, 'rewriteRules').map((each) => each.rule),
  };
  const seen = new Map<string, Seen>([
    ['answer', { from: [disposition, status, location], because: ender ? [ender.rule] : (by[disposition] ?? []) }],
  ]);
  const rewriting = phases.find((each) => each.phase === 'rewriteRules');
  if (rewriting?.path !== undefined) {
    seen.set('request', {
      from: [rewriting.path, rewriting.query],
      because: matched(evaluation, 'rewriteRules').map((each) => each.rule),
    });
  }
  for (const key of Object.keys(settings ?? {})) {
    const writer = configuration.configurationRules.find(({ id }) => written(key).includes(id));
    const layer = (writer === undefined ? configuration.settings : writer.settingsOverrides) as Members;
    const reference = layer[key] as { id: string } | null;
    const content = key === 'defaultBackend' && reference ? contentOf(configuration, reference.id) : layer[key];
    const name = key === 'defaultBackend' && reference ? ` ${reference.id}` : '';
    seen.set(`settings.${key}`, { from: content ?? null, because: written(key), name });
    if (name !== '' && origin !== undefined) seen.set(`backend${name}`, { from: content, because: [name.trim()] });
  }
  const skips = phases.flatMap((each) => (each.phase === 'accessRules' ? each.skips.map(({ target }) => target) : []));
  seen.set('skips', {
    from: skips,
    because: matched(evaluation, 'accessRules').flatMap(({ rule: id, action }) => (action === 'skip' ? [id] : [])),
  });
  if (phases.some(({ phase }) => phase === 'security')) {
    const ids = matched(evaluation, 'security').map((each) => each.rule);
    const contents = ids.map((id) =>
      JSON.stringify(configuration.securityScenarios.find((each) => each.id === id)?.written),
    );
    seen.set('scenarios', { from: [...new Set(contents)].toSorted(), because: ids });
  }
  return seen;
}

function contentOf({ backends: known }: Configuration, id: string): unknown {
  const content = (server: string) => {
    const found = known.originServers.get(server);
    return found && [found.protocol, found.address, found.port];
  };
  return id === 'pool' ? ['pool', content('origin-1'), content('origin-2')] : content(id);
}

/** The kinds of differences between two evaluations, with the ids of both sides. */
function kindsOf(before: ReadonlyMap<string, Seen>, after: ReadonlyMap<string, Seen>): readonly string[] {
  const found = [...before].flatMap(([key, one]) => {
    const other = after.get(key);
    if (other === undefined || JSON.stringify(one.from) === JSON.stringify(other.from)) return [];
    // The same backend with different content is a separate difference.
    if (one.name !== undefined && one.name !== '' && one.name === other.name) return [];
    return [JSON.stringify([key.split(' ')[0], one.because, other.because])];
  });
  const answers = found.filter((each) => each.startsWith('["answer"'));
  return answers.length > 0 ? answers : found;
}

/** The errors of a comparison, according to the engine's evaluation of requests. */
function wrongIn(
  diff: BehaviourDiff,
  before: Configuration,
  after: Configuration,
  requests: readonly RequestFacts[],
): string | undefined {
  const [one, other] = [compile(before), compile(after)];
  const kindsFor = (facts: RequestFacts): readonly string[] =>
    kindsOf(seenBy(before, one.evaluate(facts)), seenBy(after, other.evaluate(facts)));
  const kinds = new Set(
    diff.changes.map(({ key, because }) =>
      JSON.stringify([key, because.before.map(({ id }) => id), because.after.map(({ id }) => id)]),
    ),
  );
  for (const { key, because, witness } of diff.changes) {
    const name = JSON.stringify([key, because.before.map(({ id }) => id), because.after.map(({ id }) => id)]);
    if (key !== 'basicAuthUsers' && !kindsFor(okOf(parseFacts(JSON.parse(JSON.stringify(witness))))).includes(name))
      return `witness ${name}`;
  }
  if (!diff.complete) return undefined;
  for (const facts of requests) {
    const differing = kindsFor(facts);
    if (differing.length > 0 && !differing.some((kind) => kinds.has(kind)))
      return `none of ${differing.join()} is listed, which ${JSON.stringify(facts)} shows`;
  }
  return undefined;
}

/** Compares pairs of zones and checks the results against requests; counts the complete ones. */
export function checkBehaviour(
  pairs: number,
  requests: number,
): { complete: number; harmless: number; changes: number } {
  const counts = { complete: 0, harmless: 0, changes: 0 };
  fc.assert(
    fc.property(mutatedZones, fc.boolean(), someFacts(requests), ([one, other], isMoved, each) => {
      const [before, after] = [
        configurationOf(one, 'b.example'),
        configurationOf(other, isMoved ? 'c.example' : 'b.example'),
      ];
      const diff = behaviourDiff(before, after);
      counts.complete += Number(diff.complete);
      counts.harmless += Number(diff.harmless);
      counts.changes += diff.changes.length;
      const wrong = wrongIn(diff, before, after, each);
      if (wrong !== undefined) throw new Error(wrong);
    }),
    { numRuns: pairs },
  );
  return counts;
}
