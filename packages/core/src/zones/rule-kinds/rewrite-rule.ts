import { canonicalValue, type ParsedPattern, parsePattern } from '@zonewright/engine';
import { z } from 'zod';
import { firstBroken, issueAt, lengthUpTo } from '../../kernel/shared/constraints.ts';
import type { JsonObject } from '../../kernel/shared/json.ts';
import { resultOf } from '../../kernel/shared/parse.ts';
import { Conditions, conditionsKey } from '../conditions/conditions.ts';
import { commonRuleMembers } from './common-rule-members.ts';
import { targetProblems } from './rewrite-target.ts';

/** How the request path is compared with the source pattern. */
export const rewriteOperators = ['equals', 'starts_with', 'regex', 'regex_ci'] as const;
export type RewriteOperator = (typeof rewriteOperators)[number];

/** Whether the request continues with a different path or the client is redirected. */
const rewriteTypes = ['rewrite', 'redirect'] as const;

/** Redirect status codes (RFC 9110 section 15.4). */
export const redirectStatuses = [301, 302, 303, 307, 308] as const;
const defaultStatus = 302;

const maxSource = 1024;
const maxTarget = 2048;
const visibleAscii = /^[\x21-\x7e]+$/;

/** Part of a URL: visible ASCII, everything else percent-encoded (RFC 3986 section 2). */
const urlText = (maximum: number) =>
  z
    .string()
    .check(
      firstBroken(...lengthUpTo(maximum, ({ length }) => length), {
        holds: (value) => visibleAscii.test(value),
        code: 'rewriteRule.characters',
        message: 'This value should contain only visible ASCII characters; percent-encode all others.',
      }),
    )
    .meta({ minLength: 1, maxLength: maximum });

/**
 * Rewrites the path of a request or redirects the client. Rules are evaluated in ascending order, and the first match
 * ends the phase. In the target, `$1` to `$9` insert groups of the pattern and `$$` a dollar sign; the target's host
 * never depends on the request.
 */
export const RewriteRuleContent = z
  .strictObject({
    ...commonRuleMembers,
    operator: z.enum(rewriteOperators),
    sourcePattern: urlText(maxSource),
    target: urlText(maxTarget),
    type: z.enum(rewriteTypes).default('rewrite'),
    statusCode: z.literal(redirectStatuses).nullish(),
    preserveQueryString: z.boolean().default(true),
    /** Additional conditions on the request as the client sent it. */
    conditions: Conditions.nullish(),
  })
  .check(({ value, issues }) => {
    // A problem of a single member hides the ones it causes in combination with others.
    const broken = new Set(issues.map(({ path }) => path?.[0]));
    for (const { member, code, message } of problems(value).filter((each) => !broken.has(each.member))) {
      issues.push(issueAt([member], value[member], { code, message }));
    }
  })
  .overwrite(({ statusCode, conditions, ...rule }) => ({
    ...rule,
    ...(rule.type === 'redirect' ? { statusCode: statusCode ?? defaultStatus } : {}),
    ...(conditions === undefined || conditions === null ? {} : { conditions }),
  }));
export type RewriteRuleContent = z.output<typeof RewriteRuleContent>;

type RewriteMembers = Pick<RewriteRuleContent, 'operator' | 'sourcePattern' | 'target' | 'type' | 'statusCode'>;

interface Problem {
  readonly member: keyof RewriteMembers;
  readonly code: string;
  readonly message: string;
}

const isPattern = (operator: RewriteOperator): boolean => operator === 'regex' || operator === 'regex_ci';

/** Problems of members in combination, each valid by itself. */
function problems({ operator, sourcePattern, target, type, statusCode }: RewriteMembers): readonly Problem[] {
  const redirects = type === 'redirect';
  const status = !redirects && statusCode !== undefined && statusCode !== null ? [wrongStatus] : [];
  if (!isPattern(operator)) {
    return [...status, ...sourceProblems(sourcePattern), ...targetProblems(target, { redirects, pattern: undefined })];
  }
  return resultOf(parsePattern(sourcePattern)).match<readonly Problem[]>(
    (pattern) => [...status, ...targetProblems(target, { redirects, pattern })],
    ({ code, message }) => [
      ...status,
      { member: 'sourcePattern', code: `rewriteRule.regex.${code}`, message },
      ...targetProblems(target, { redirects, pattern: anyPattern }),
    ],
  );
}

/** Stands in for an invalid pattern: it may have every group. */
const anyPattern: ParsedPattern = { source: '', tree: { kind: 'sequence', parts: [] }, captureGroups: 9, states: 0 };

const sourceProblems = (source: string): readonly Problem[] => {
  if (!source.startsWith('/')) return [noPath];
  return /[?#]/.test(source) ? [unmatchable] : [];
};

const noPath: Problem = {
  member: 'sourcePattern',
  code: 'rewriteRule.source.path',
  message: 'A path must start with "/".',
};

const unmatchable: Problem = {
  member: 'sourcePattern',
  code: 'rewriteRule.source.unmatchable',
  message: 'A path contains neither "?" nor "#", so the rule would never apply.',
};

const wrongStatus: Problem = {
  member: 'statusCode',
  code: 'rewriteRule.statusCode.unexpected',
  message: 'Only a redirect can have a status code; leave it out.',
};

/**
 * The content that a patch applies to: when a redirect becomes a rewrite, a status that is just the default is dropped.
 */
export function rewriteRuleBefore(patch: JsonObject, content: JsonObject): JsonObject {
  const { statusCode, ...rule } = content;
  const becomesRewrite = patch['type'] === 'rewrite' || patch['type'] === null;
  return becomesRewrite && statusCode === defaultStatus ? rule : content;
}

/** Two rules of a zone cannot have the same source and the same conditions. */
export const rewriteKey = ({
  operator,
  sourcePattern,
  conditions,
}: Pick<RewriteRuleContent, 'operator' | 'sourcePattern' | 'conditions'>): string => {
  const source = `${operator} ${canonicalSource(operator, sourcePattern)}`;
  return conditions === undefined || conditions === null ? source : `${source} ${conditionsKey(conditions)}`;
};

/** A path in canonical form; patterns, and paths that no request can have, as written. */
const canonicalSource = (operator: RewriteOperator, source: string): string =>
  operator === 'equals' || operator === 'starts_with'
    ? (canonicalValue('uri', operator, source).texts[0] ?? source)
    : source;
