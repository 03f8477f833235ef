import { compile, type Evaluation, parseConfiguration, parseFacts } from '../src/index.ts';
import { okOf } from './outcomes.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a test says of a zone; rules get ids such as `access1` in the order given. */
export interface ZoneDraft {
  readonly settings?: Members;
  readonly access?: readonly Members[];
  readonly rewrites?: readonly Members[];
  readonly rules?: readonly Members[];
  readonly scenarios?: readonly Members[];
  readonly backends?: Members;
}

/** A condition from `field operator value`; the target is between the field and the operator, after a colon. */
function c(text: string): Members {
  const [, field, target, operator, value] = /^(\w+)(?::(\S+))? (\w+)(?: ([^]*))?$/.exec(text) ?? [];
  return { field, operator, ...(target === undefined ? {} : { target }), ...(value === undefined ? {} : { value }) };
}

/** Conditions that all must hold. */
export const all = (...texts: readonly string[]): Members => ({ logic: 'and', conditions: texts.map(c) });

/** Conditions of which one must hold. */
export const any = (...texts: readonly string[]): Members => ({ logic: 'or', conditions: texts.map(c) });

export const originServer = {
  id: 'origin-1',
  name: 'Origin',
  protocol: 'https',
  address: 'origin.example.net',
  port: 443,
};

const listOf = (prefix: string, rules: readonly Members[]): Members => {
  const items = rules.map(
    (rule, index) => [`${prefix}${index + 1}`, { name: `${prefix} ${index + 1}`, ...rule }] as const,
  );
  return { order: items.map(([id]) => id), items: Object.fromEntries(items) };
};

/** A zone document with default settings and an origin server, changed by the draft. */
export const documentOf = (draft: ZoneDraft): Members => ({
  name: 'a.example',
  tag: 'prod',
  zone_settings: { defaultBackend: { type: 'origin_server', id: 'origin-1' }, ...draft.settings },
  rewriteRules: listOf('rewrite', draft.rewrites ?? []),
  configurationRules: listOf('rule', draft.rules ?? []),
  accessRules: listOf('access', draft.access ?? []),
  securityScenarios: listOf('scenario', draft.scenarios ?? []),
});

/** The usual client. */
const client = { ip: '192.0.2.1', country: 'DE', asn: 64_500 };

/** The engine of a zone. */
export const engineOf = (draft: ZoneDraft) =>
  compile(okOf(parseConfiguration(documentOf(draft), draft.backends ?? { originServers: [originServer] })));

/** What a zone does to a request of the usual client; a fact that is undefined is left out. */
export const evaluate = (draft: ZoneDraft, facts: Members | string): Evaluation =>
  engineOf(draft).evaluate(okOf(parseFacts({ ...client, ...(typeof facts === 'string' ? { url: facts } : facts) })));

/** The steps of a phase. */
export const stepsOf = (evaluation: Evaluation, phase: string): readonly Members[] =>
  evaluation.phases?.flatMap((each) =>
    each.phase === phase && 'steps' in each ? each.steps.map((step) => ({ ...step })) : [],
  ) ?? [];

/** How the rules of a phase came out. */
export const outcomesOf = (evaluation: Evaluation, phase: string): readonly unknown[] =>
  stepsOf(evaluation, phase).map(({ outcome }) => outcome);

/** What an answer says of a phase. */
export const phaseOf = (evaluation: Evaluation, phase: string): Members => ({
  ...evaluation.phases?.find((each) => each.phase === phase),
});
