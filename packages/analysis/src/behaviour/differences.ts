import type { Reason } from '@zonewright/core';
import { type Backends, type SettingKey, utf8 } from '@zonewright/engine';
import {
  backendOf,
  isPage,
  isSameJson,
  type SettingValue,
  settingKeys,
  skipTargets,
  utf8Length,
} from '@zonewright/engine/internals';
import { type AnalysedRule, referenceTo } from '../findings/analysed-rules.ts';
import { sha256 } from '../texts/sha256.ts';
import type { Difference } from './change.ts';
import { isRefusal, type Side, type View, type Writer } from './side.ts';

/** The setting that decides each disposition no rule decides. */
const deciding = {
  challenge: 'underAttack',
  unauthorized: 'basicAuth',
  maintenance: 'customPagesMaintenanceActive',
  noBackend: 'defaultBackend',
} as const satisfies Readonly<Record<string, SettingKey>>;

/** The answer to a request (disposition, status and location), and the rules that cause it. */
export function answerOf(view: View): { readonly shown: object; readonly because: readonly Reason[] } {
  const { disposition, status, location } = view.evaluation;
  const shown = {
    disposition,
    ...(status === undefined ? {} : { status }),
    ...(location === undefined ? {} : { location }),
  };
  const answering = view.terminalRule ?? (disposition === 'redirect' ? view.rewrite : undefined);
  if (answering !== undefined) return { shown, because: reasons(answering) };
  const isDecided = disposition in deciding;
  // `isDecided` has checked this.
  const key = isDecided ? deciding[disposition as keyof typeof deciding] : undefined;
  return { shown, because: key === undefined ? [] : reasons(view.writer(key)) };
}

/** Rules as reasons; the zone's own settings and rejections are none. */
export const reasons = (...rules: readonly (AnalysedRule | undefined)[]): readonly Reason[] =>
  rules.flatMap((rule) => (rule === undefined || isRefusal(rule) ? [] : [referenceTo(rule)]));

/** Whether two evaluations give the same answer. */
export const answersAlike = (before: View, after: View): boolean =>
  isSameJson(answerOf(before).shown, answerOf(after).shown);

/** All differences between two evaluations of a request; if the answers differ, nothing else is compared. */
export function differences(before: View, after: View): readonly Difference[] {
  const [one, other] = [answerOf(before), answerOf(after)];
  if (!isSameJson(one.shown, other.shown)) {
    return [
      { key: 'answer', from: one.shown, to: other.shown, because: { before: one.because, after: other.because } },
    ];
  }
  return [
    ...requestDifference(before, after),
    ...settingDifferences(before, after),
    ...skipDifferences(before, after),
    ...setDifferences('scenarios', before, after, matchedScenarios),
  ];
}

function requestDifference(before: View, after: View): readonly Difference[] {
  const [from, to] = [addressOf(before), addressOf(after)];
  if (from === undefined || to === undefined || isSameJson(from, to)) return [];
  return [{ key: 'request', from, to, because: { before: reasons(before.rewrite), after: reasons(after.rewrite) } }];
}

/** Path and query after rewriting; undefined if the request ended earlier. */
function addressOf({ evaluation }: View): object | undefined {
  const phase = evaluation.phases?.find((each) => each.phase === 'rewriteRules');
  return phase?.path === undefined ? undefined : { path: phase.path, query: phase.query };
}

function settingDifferences(before: View, after: View): readonly Difference[] {
  if (before.evaluation.settings === undefined || after.evaluation.settings === undefined) return [];
  return aspects.flatMap((aspect) => {
    if (aspect.key === 'backend' && before.evaluation.disposition !== 'serve') return [];
    const [one, other] = [before, after].map((view) => aspect.of(view.side, view.value(aspect.source)));
    if (!aspect.differs(one, other)) return [];
    const because = {
      before: aspect.because(before.side, before.writer(aspect.source)),
      after: aspect.because(after.side, after.writer(aspect.source)),
    };
    return [{ key: aspect.key, from: aspect.shown(one), to: aspect.shown(other), because }];
  });
}

/** An aspect of a request's treatment that depends on the effective value of a single setting. */
export interface Aspect {
  readonly key: Difference['key'];
  readonly source: SettingKey;
  /** The meaning of a value in a configuration. */
  readonly of: (side: Side, value: unknown) => unknown;
  readonly differs: (before: unknown, after: unknown) => boolean;
  readonly shown: (meaning: unknown) => unknown;
  readonly because: (side: Side, writer: Writer) => readonly Reason[];
}

const plain = (key: SettingKey): Aspect => ({
  key: `settings.${key}`,
  source: key,
  of: (_, value) => value,
  differs: (before, after) => !isSameJson(before, after),
  shown: (value) => (isPage(key) && typeof value === 'string' ? pageOf(value) : value),
  because: (_, writer) => reasons(writer),
});

const pageOf = (html: string) => ({ bytes: utf8Length(html), sha256: sha256(utf8(html)) });

/** Backends are compared by content. */
interface BackendMeaning {
  readonly reference: SettingValue<'defaultBackend'>;
  /** Null: no backend. */
  readonly content: object | null;
}

const backendMeaning = ({ configuration }: Side, value: unknown): BackendMeaning => {
  // Values are stored under their own key.
  const reference = value as SettingValue<'defaultBackend'>;
  return { reference, content: contentOf(configuration.backends, reference) };
};

function contentOf(backends: Backends, reference: SettingValue<'defaultBackend'>): object | null {
  const backend = backendOf(backends, reference);
  if (backend === undefined) return null;
  const { balancer } = backend;
  return {
    ...(balancer === undefined ? {} : { method: balancer.method }),
    servers: backend.servers.map(({ server: { protocol, address, port, requestHostname }, weight }) => ({
      protocol,
      address,
      port,
      requestHostname: requestHostname ?? balancer?.requestHostname ?? null,
      weight,
    })),
  };
}

/** Whether a value of `defaultBackend` resolves to a usable backend. */
export const hasBackend = (side: Side, value: unknown): boolean => backendMeaning(side, value).content !== null;

/** Whether a value of `basicAuth` requires credentials. */
export const isAuthRequired = (value: unknown): boolean =>
  // Values are stored under their own key.
  (value as SettingValue<'basicAuth'>).enabled;

const isSameBackend = (one: BackendMeaning['reference'], other: BackendMeaning['reference']): boolean =>
  one?.id.toLowerCase() === other?.id.toLowerCase() &&
  (one?.type === 'load_balancer') === (other?.type === 'load_balancer');

const backendsDiffer =
  (areNamedAlike: boolean) =>
  (before: unknown, after: unknown): boolean => {
    // Only `backendMeaning` creates these.
    const [one, other] = [before as BackendMeaning, after as BackendMeaning];
    return isSameBackend(one.reference, other.reference) === areNamedAlike && !isSameJson(one.content, other.content);
  };

const defaultBackend: Aspect = {
  ...plain('defaultBackend'),
  of: backendMeaning,
  differs: backendsDiffer(false),
  // As above.
  shown: (meaning) => (meaning as BackendMeaning).reference,
};

const backend: Aspect = {
  key: 'backend',
  source: 'defaultBackend',
  of: backendMeaning,
  differs: backendsDiffer(true),
  // As above.
  shown: (meaning) => (meaning as BackendMeaning).content,
  because(side, writer) {
    const { reference } = backendMeaning(side, side.valueOf('defaultBackend', writer));
    if (reference === null) return [];
    const list = reference.type === 'load_balancer' ? 'loadBalancers' : 'originServers';
    return [{ list, id: reference.id.toLowerCase() }];
  },
};

/** The names of users who may pass; null if no credentials are required. */
const basicAuthUsers: Aspect = {
  ...plain('basicAuth'),
  key: 'basicAuthUsers',
  of({ configuration: { basicAuthUsers: users } }, value) {
    // Values are stored under their own key.
    const { allowedUserIds } = value as SettingValue<'basicAuth'>;
    if (!isAuthRequired(value)) return null;
    const names = allowedUserIds.length === 0 ? [...users.values()] : allowedUserIds.map((id) => users.get(id));
    return names.filter((name) => name !== undefined).toSorted();
  },
  differs: (before, after) => before !== null && after !== null && !isSameJson(before, after),
};

/** All aspects, in key order. */
export const aspects: readonly Aspect[] = [
  ...settingKeys.map((key) => (key === 'defaultBackend' ? defaultBackend : plain(key))),
  backend,
  basicAuthUsers,
];

/** Undefined: the phase was not reached. */
type ServerChoice = { readonly shown: readonly unknown[]; readonly rules: readonly AnalysedRule[] } | undefined;

function setDifferences(
  key: 'skips' | 'scenarios',
  before: View,
  after: View,
  chosen: (view: View) => ServerChoice,
): readonly Difference[] {
  const [one, other] = [chosen(before), chosen(after)];
  if (one === undefined || other === undefined || isSameSet(one.shown, other.shown)) return [];
  const because = { before: reasons(...one.rules), after: reasons(...other.rules) };
  return [{ key, from: one.shown, to: other.shown, because }];
}

/** How a request skips different checks, whatever its answers. */
export const skipDifferences = (before: View, after: View): readonly Difference[] =>
  setDifferences('skips', before, after, skipped);

const isSameSet = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  [one, other].every((some) =>
    some.every((each) => [one, other].every((set) => set.some((entry) => isSameJson(entry, each)))),
  );

const skipped = (view: View): ServerChoice => {
  const rules = view.skipping;
  const targets = new Set(rules.flatMap(({ content }) => content.skipTargets));
  return { shown: skipTargets.filter((target) => targets.has(target)), rules };
};

const matchedScenarios = (view: View): ServerChoice => {
  if (view.evaluation.phases?.some(({ phase }) => phase === 'security') !== true) return undefined;
  const rules = view.side.rules.securityScenarios.filter((rule) => view.matched(rule));
  return { shown: rules.map(({ content }) => content.written), rules };
};
