import { createHash } from 'node:crypto';
import { compile, type Evaluation, parseConfiguration, parseFacts } from '../src/index.ts';
import { okOf } from './outcomes.ts';

type Members = Readonly<Record<string, unknown>>;

/** A test's zone; rules get ids such as `access1` in order. */
export interface ZoneDraft {
  readonly settings?: Members;
  readonly access?: readonly Members[];
  readonly rewrites?: readonly Members[];
  readonly rules?: readonly Members[];
  readonly scenarios?: readonly Members[];
  readonly backends?: Members;
}

/** A condition from `field operator value`; a target follows the field after a colon. */
function c(text: string): Members {
  const [, field, target, operator, value] = /^(\w+)(?::(\S+))? (\w+)(?: ([^]*))?$/.exec(text) ?? [];
  return { field, operator, ...(target === undefined ? {} : { target }), ...(value === undefined ? {} : { value }) };
}

/** Conditions that all must hold. */
export const all = (...texts: readonly string[]): Members => ({ logic: 'and', conditions: texts.map(c) });

/** Conditions of which any must hold. */
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

/** A zone document with default settings and an origin server, plus the draft. */
export const documentOf = (draft: ZoneDraft): Members => ({
  name: 'a.example',
  tag: 'prod',
  zone_settings: { defaultBackend: { type: 'origin_server', id: 'origin-1' }, ...draft.settings },
  rewriteRules: listOf('rewrite', draft.rewrites ?? []),
  configurationRules: listOf('rule', draft.rules ?? []),
  accessRules: listOf('access', draft.access ?? []),
  securityScenarios: listOf('scenario', draft.scenarios ?? []),
});

/** The default client. */
const client = { ip: '192.0.2.1', country: 'DE', asn: 64_500 };

export const sha256 = (bytes: string): string => createHash('sha256').update(bytes, 'latin1').digest('hex');

/** The engine of a zone. */
export const engineOf = (draft: ZoneDraft) =>
  compile(okOf(parseConfiguration(documentOf(draft), draft.backends ?? { originServers: [originServer] })), { sha256 });

/** Evaluates a request from the default client; undefined facts are omitted. */
export const evaluate = (draft: ZoneDraft, facts: Members | string): Evaluation =>
  engineOf(draft).evaluate(okOf(parseFacts({ ...client, ...(typeof facts === 'string' ? { url: facts } : facts) })));

/** The steps of a phase. */
export const stepsOf = (evaluation: Evaluation, phase: string): readonly Members[] =>
  evaluation.phases?.flatMap((each) =>
    each.phase === phase && 'steps' in each ? each.steps.map((step) => ({ ...step })) : [],
  ) ?? [];

/** The outcomes of a phase's rules. */
export const outcomesOf = (evaluation: Evaluation, phase: string): readonly unknown[] =>
  stepsOf(evaluation, phase).map(({ outcome }) => outcome);

/** A phase of an evaluation. */
export const phaseOf = (evaluation: Evaluation, phase: string): Members => ({
  ...evaluation.phases?.find((each) => each.phase === phase),
});
