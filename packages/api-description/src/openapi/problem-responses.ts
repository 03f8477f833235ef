import { STATUS_CODES } from 'node:http';
import type { Violation } from '@zonewright/core';
import { mediaTypes } from '../media-types.ts';
import type { Operation } from '../model.ts';
import type { Problem } from '../problems/problem.ts';
import { type ApiError, problems } from '../problems/problems.ts';
import { pascalCase } from '../words.ts';
import { sampleId } from './examples.ts';
import { type HeaderName, headersNamed } from './headers.ts';
import { mapMembers, refTo, type Schema } from './json-schema.ts';
import { refusalsOf } from './refusals.ts';

/** Errors whose problem document lists violations. */
const withViolations: ReadonlySet<string> = new Set<ApiError['type']>([
  'InvalidInput',
  'InvalidQuery',
  'MissingBodyMember',
  'PageTooLarge',
  'PasswordTooCommon',
  'WrongCurrentPassword',
]);

/** A problem type: what its errors have in common. */
interface Kind extends Problem {
  readonly hasViolations: boolean;
  readonly clearsCookies: boolean;
}

/** All errors of a problem type agree on whether they list violations, so the first one decides. */
function kindOf(slug: string): Kind {
  const [[tag, problem] = unknownKind, ...others] = Object.entries<Problem>(problems).filter(
    ([, each]) => each.slug === slug,
  );
  const clearsCookies = [problem, ...others.map(([, each]) => each)].some(({ clears }) => clears !== undefined);
  return { ...problem, slug, hasViolations: withViolations.has(tag), clearsCookies };
}

const unknownKind: readonly [string, Problem] = ['InternalError', problems.InternalError];

/** The problem types of one status. */
interface Refusals {
  readonly status: number;
  readonly kinds: readonly Kind[];
}

/** The errors of an operation, grouped by status. */
function groupsOf(operation: Operation): readonly Refusals[] {
  const refusals = refusalsOf(operation);
  const statuses = [...new Set(refusals.map(({ status }) => status))].toSorted((a, b) => a - b);
  return statuses.map((status) => {
    const slugs = new Set(refusals.flatMap((each) => (each.status === status ? [each.slug] : [])));
    return { status, kinds: [...slugs].toSorted().map(kindOf) };
  });
}

/** A valid identifier in most languages, because client generators turn it into a type name. */
const groupName = ({ status, kinds }: Refusals): string =>
  ['Problem', status, ...kinds.map(({ slug }) => pascalCase(slug))].join('');

/** The error responses of an operation, by status. */
export const problemResponsesOf = (operation: Operation): Readonly<Record<string, { readonly $ref: string }>> =>
  Object.fromEntries(
    groupsOf(operation).map((group) => [group.status, { $ref: `#/components/responses/${groupName(group)}` }]),
  );

/** The response to unsupported methods is a component only: no operation can refer to it. */
const otherMethod = (): Refusals => ({ status: 405, kinds: [kindOf(problems.MethodNotAllowed.slug)] });

/** Every error response, by component name. */
export const problemResponses = (operations: readonly Operation[]): Readonly<Record<string, unknown>> =>
  mapMembers(
    Object.fromEntries([...operations.flatMap(groupsOf), otherMethod()].map((group) => [groupName(group), group])),
    responseOf,
  );

const typeOf = ({ slug }: Kind): string => `/errors/${slug}`;

function responseOf({ status, kinds }: Refusals) {
  const lines = kinds.map((kind) => `- \`${typeOf(kind)}\`: ${kind.title}`);
  return {
    description: [`${STATUS_CODES[status]}.`, '', ...lines].join('\n'),
    headers: headersNamed(...headersOf(status, kinds)),
    content: {
      [mediaTypes.problem]: {
        schema: schemaOf(kinds),
        examples: Object.fromEntries(kinds.map((kind) => [kind.slug, { value: exampleOf(kind, status) }])),
      },
    },
  };
}

function schemaOf(kinds: readonly Kind[]): Schema {
  const alternatives = [
    ...narrowed(
      'ValidationProblem',
      kinds.filter(({ hasViolations }) => hasViolations),
    ),
    ...narrowed(
      'Problem',
      kinds.filter(({ hasViolations }) => !hasViolations),
    ),
  ];
  const [only = {}, ...others] = alternatives;
  return others.length === 0 ? only : { anyOf: alternatives };
}

const narrowed = (name: string, kinds: readonly Kind[]): readonly Schema[] =>
  kinds.length === 0 ? [] : [{ ...refTo(name), properties: { type: { enum: kinds.map(typeOf) } } }];

const exampleOf = (kind: Kind, status: number) => ({
  type: typeOf(kind),
  title: kind.title,
  status,
  ...(kind.hasViolations ? exampleViolation(kind) : { detail: kind.detail }),
  ...(status >= 500 ? { requestId: sampleId } : {}),
});

const exampleViolation = ({ slug }: Kind) =>
  slug === 'invalid-query'
    ? violating({ propertyPath: 'page', message: 'This parameter should be an integer.', code: 'query.integer' })
    : violating({ propertyPath: 'name', message: 'This member is required.', code: 'member.required' });

const violating = (violation: Violation) => ({
  detail: `${violation.propertyPath}: ${violation.message}`,
  violations: [violation],
});

const headersOf = (status: number, kinds: readonly Kind[]): readonly HeaderName[] => [
  'X-Request-Id',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  ...(status === 405 ? (['Allow'] as const) : []),
  ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ...(status === 412 ? (['ETag'] as const) : []),
  ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ...(kinds.some(({ clearsCookies }) => clearsCookies) ? (['Set-Cookie'] as const) : []),
];
