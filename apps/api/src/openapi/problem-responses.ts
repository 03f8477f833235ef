import { STATUS_CODES } from 'node:http';
import { mediaTypes } from '../http/negotiation.ts';
import { type ApiError, problems } from '../http/problem.ts';
import { type HeaderName, headersNamed } from './headers.ts';
import { mapMembers, refTo, type Schema } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { type Refusal, refusalsOf } from './refusals.ts';

const exampleViolation = { propertyPath: 'name', message: 'This member is required.', code: 'member.required' };

/** Errors that tell each wrong value. */
const withViolations: ReadonlySet<string> = new Set<ApiError['type']>([
  'InvalidInput',
  'InvalidQuery',
  'MissingBodyMember',
  'PasswordTooCommon',
  'WrongCurrentPassword',
]);

/** All errors that are told as one kind of problem agree in whether they do. */
const hasViolations = (slug: string): boolean =>
  Object.entries(problems).some(([tag, problem]) => problem.slug === slug && withViolations.has(tag));

const typeOf = (slug: string): string => `/errors/${slug}`;

/** The answers of one status: which kinds of problems, and what else belongs to it. */
interface ProblemGroup {
  readonly status: number;
  /** One refusal of each kind. */
  readonly kinds: readonly Refusal[];
}

/** What an operation refuses with, by status. */
function groupsOf(operation: Operation): readonly ProblemGroup[] {
  const refusals = refusalsOf(operation);
  const statuses = [...new Set(refusals.map(({ status }) => status))].toSorted((a, b) => a - b);
  return statuses.map((status) => {
    const kinds = new Map(refusals.filter((each) => each.status === status).map((each) => [each.slug, each]));
    return { status, kinds: [...kinds.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1)) };
  });
}

const groupName = ({ status, kinds }: ProblemGroup): string => [status, ...kinds.map(({ slug }) => slug)].join('.');

/** The refusals of an operation, by status. */
export const problemResponsesOf = (operation: Operation): Readonly<Record<string, { readonly $ref: string }>> =>
  Object.fromEntries(
    groupsOf(operation).map((group) => [group.status, { $ref: `#/components/responses/${groupName(group)}` }]),
  );

/** Every refusal that some operation has, by the name under which it is referred to. */
export const problemResponses = (operations: readonly Operation[]): Readonly<Record<string, unknown>> =>
  mapMembers(Object.fromEntries(operations.flatMap(groupsOf).map((group) => [groupName(group), group])), responseOf);

function responseOf({ status, kinds }: ProblemGroup) {
  return {
    description: [
      `${STATUS_CODES[status]}.`,
      '',
      ...kinds.map(({ slug, title }) => `- \`${typeOf(slug)}\`: ${title}`),
    ].join('\n'),
    headers: headersNamed(...headersOf(status, kinds)),
    content: {
      [mediaTypes.problem]: {
        schema: schemaOf(kinds),
        examples: Object.fromEntries(kinds.map((kind) => [kind.slug, { value: exampleOf(kind) }])),
      },
    },
  };
}

function schemaOf(kinds: readonly Refusal[]): Schema {
  const [told, plain] = [
    kinds.filter(({ slug }) => hasViolations(slug)),
    kinds.filter(({ slug }) => !hasViolations(slug)),
  ];
  const alternatives = [
    ...(told.length === 0 ? [] : [narrowed('ValidationProblem', told)]),
    ...(plain.length === 0 ? [] : [narrowed('Problem', plain)]),
  ];
  const [only, ...others] = alternatives;
  return only !== undefined && others.length === 0 ? only : { anyOf: alternatives };
}

const narrowed = (name: string, kinds: readonly Refusal[]): Schema => ({
  ...refTo(name),
  properties: { type: { enum: kinds.map(({ slug }) => typeOf(slug)) } },
});

const exampleOf = ({ slug, title, status, detail }: Refusal) => ({
  type: typeOf(slug),
  title,
  status,
  detail: hasViolations(slug) ? 'name: This member is required.' : detail,
  ...(hasViolations(slug) ? { violations: [exampleViolation] } : {}),
  ...(status >= 500 ? { requestId: '9b2f7c1e-4d0a-4f6e-8a53-1c7d9e0b2a64' } : {}),
});

function headersOf(status: number, kinds: readonly Refusal[]): readonly HeaderName[] {
  const clears = Object.values(problems).some(
    (problem) => 'clears' in problem && kinds.some(({ slug }) => slug === problem.slug),
  );
  return [
    'X-Request-Id',
    'Link',
    'RateLimit',
    'RateLimit-Policy',
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 412 ? (['ETag'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(clears ? (['Set-Cookie'] as const) : []),
  ];
}
