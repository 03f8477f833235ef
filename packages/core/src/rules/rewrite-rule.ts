import { parsePattern } from '@zonewright/engine';
import { z } from 'zod';
import { firstBroken, issueAt } from '../shared/constraints.ts';
import { resultOf } from '../shared/outcome.ts';
import { commonRuleMembers } from './common-rule-members.ts';

/** How the path of a request is compared with the source. */
export const rewriteOperators = ['equals', 'starts_with', 'regex', 'regex_ci'] as const;
export type RewriteOperator = (typeof rewriteOperators)[number];

/** Whether the request goes on under another path, or the client is sent elsewhere. */
export const rewriteTypes = ['rewrite', 'redirect'] as const;

/** Statuses of redirects (RFC 9110 section 15.4). */
export const redirectStatuses = [301, 302, 303, 307, 308] as const;
const defaultStatus = 302;

const greatestSource = 1024;
const greatestTarget = 2048;
const visibleAscii = /^[\x21-\x7e]+$/;

/** Text of a URL: visible ASCII, everything else percent-encoded (RFC 3986 section 2). */
const urlText = (maximum: number) =>
  z
    .string()
    .check(
      firstBroken<string>(
        {
          holds: (value) => value !== '',
          code: 'text.tooShort',
          message: 'This value should have at least 1 character.',
        },
        {
          holds: (value) => value.length <= maximum,
          code: 'text.tooLong',
          message: `This value should have at most ${maximum} characters.`,
        },
        {
          holds: (value) => visibleAscii.test(value),
          code: 'rewriteRule.characters',
          message: 'This value should hold visible ASCII only; write other characters percent-encoded.',
        },
      ),
    )
    .meta({ minLength: 1, maxLength: maximum });

/**
 * Gives a request another path, or sends the client elsewhere. Rules are looked at in ascending order, the first
 * match wins and ends the phase. In the target `$1` to `$9` stand for groups of the pattern and `$$` for a dollar sign.
 */
export const RewriteRuleContent = z
  .strictObject({
    ...commonRuleMembers,
    operator: z.enum(rewriteOperators),
    sourcePattern: urlText(greatestSource),
    target: urlText(greatestTarget),
    type: z.enum(rewriteTypes).default('rewrite'),
    statusCode: z.literal(redirectStatuses).nullish(),
    preserveQueryString: z.boolean().default(true),
  })
  .check(({ value, issues }) => {
    // What is wrong with a member by itself explains what it breaks together with others.
    const broken = new Set(issues.map(({ path }) => path?.[0]));
    for (const { member, code, message } of problems(value).filter((each) => !broken.has(each.member))) {
      issues.push(issueAt([member], value[member], { code: `rewriteRule.${code}`, message }));
    }
  })
  .overwrite(({ statusCode, ...rule }) =>
    rule.type === 'redirect' ? { ...rule, statusCode: statusCode ?? defaultStatus } : rule,
  );
export type RewriteRuleContent = z.output<typeof RewriteRuleContent>;

type Written = Pick<RewriteRuleContent, 'operator' | 'sourcePattern' | 'target' | 'type' | 'statusCode'>;

interface Problem {
  readonly member: keyof Written;
  readonly code: string;
  readonly message: string;
}

const isPattern = (operator: RewriteOperator): boolean => operator === 'regex' || operator === 'regex_ci';

/** What members of a rule break together; each by itself is in order. */
function problems(rule: Written): readonly Problem[] {
  const { operator, sourcePattern, type, statusCode } = rule;
  const wrongStatus = type === 'rewrite' && statusCode !== undefined && statusCode !== null;
  const status: Problem[] = wrongStatus
    ? [{ member: 'statusCode', code: 'statusCode.unexpected', message: 'Only a redirect has a status; leave it out.' }]
    : [];
  if (!isPattern(operator)) return [...status, ...pathProblems(sourcePattern), ...targetProblems(rule, 0)];
  return resultOf(parsePattern(sourcePattern)).match(
    ({ captureGroups }) => [...status, ...targetProblems(rule, captureGroups)],
    ({ code, message }) => [
      ...status,
      { member: 'sourcePattern', code: `regex.${code}`, message },
      ...targetProblems(rule, greatestGroup),
    ],
  );
}

const pathProblems = (source: string): readonly Problem[] =>
  source.startsWith('/') ? [] : [{ member: 'sourcePattern', code: 'source.path', message: 'A path starts with "/".' }];

const greatestGroup = 9;
const reference = /\$(.?)/g;
const path = /^\/(?!\/)/;
const webAddress = /^https?:\/\/[A-Za-z0-9._-]+(?::[0-9]{1,5})?(?:[/?#]|$)/;

function targetProblems({ target, type }: Written, groups: number): readonly Problem[] {
  const wrong = [...target.matchAll(reference)].filter(([, sign = '']) => !isReference(sign, groups));
  const references = wrong.map(
    ({ 0: text, index }): Problem => ({
      member: 'target',
      code: 'target.reference',
      message: `"${text}" at position ${index} names no group of the pattern; write "$$" for a dollar sign.`,
    }),
  );
  // What stands for a reference does not matter to the form of an address.
  const form = target.replace(reference, 'x');
  if (path.test(form)) return references;
  const isAddress = webAddress.test(form);
  if (isAddress && type === 'redirect') return references;
  return [...references, isAddress ? otherHost : noTarget];
}

const isReference = (sign: string, groups: number): boolean =>
  sign === '$' || (/^[1-9]$/.test(sign) && Number(sign) <= groups);

const noTarget: Problem = {
  member: 'target',
  code: 'target.form',
  message: 'This value should be a path that starts with one "/", or an http or https URL.',
};

const otherHost: Problem = {
  member: 'target',
  code: 'target.otherHost',
  message: 'A rewrite stays on its host: write a path, or make the rule a redirect.',
};

/** Two rules of a zone may not have the same source. */
export const rewriteSource = ({ operator, sourcePattern }: Pick<Written, 'operator' | 'sourcePattern'>): string =>
  `${operator} ${sourcePattern}`;
