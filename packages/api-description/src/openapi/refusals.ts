import type { Operation } from '../model.ts';
import type { Problem } from '../problems/problem.ts';
import { type ApiError, problems } from '../problems/problems.ts';
import { isTagged } from '../resource-description.ts';
import type { DescribedRoute } from '../route.ts';
import { permissionsOf } from '../route.ts';
import { queryMembers } from './parameters.ts';

type Tag = ApiError['type'];

/** An error as one operation reports it. */
export interface Refusal extends Problem {
  readonly tag: Tag;
}

/** The errors an operation can return: those its row lists and those that follow from it. */
export function refusalsOf(operation: Operation): readonly Refusal[] {
  const { route } = operation;
  const tags = new Set<Tag>([
    ...always,
    ...ofAnswer(route),
    ...ofCaller(route),
    ...ofWrites(route),
    ...ofBody(operation),
    ...ofTarget(operation),
    ...route.errors,
  ]);
  return [...tags].map((tag) => ({ tag, ...problems[tag], ...route.problems[tag] }));
}

const always = ['InvalidQuery', 'InternalError', 'ServiceUnavailable'] as const satisfies Tag[];

const when = (holds: boolean, ...tags: readonly Tag[]): readonly Tag[] => (holds ? tags : []);

/** Representations are versioned, so reads can fail `If-Match`. */
const ofAnswer = ({ method, answers }: DescribedRoute): readonly Tag[] => [
  ...when(answers.kind !== 'nothing' && answers.kind !== 'redirect', 'NotAcceptable'),
  ...when(method === 'get' && isTagged(answers), 'VersionMismatch'),
];

const ofCaller = ({ access, isLimited, permission }: DescribedRoute): readonly Tag[] => [
  ...when(access === 'protected' || access === 'session', 'Unauthenticated'),
  ...when(access === 'edge', 'EdgeKeyInvalid'),
  ...when(access === 'protected', 'PermissionDenied', 'TwoFactorRequired', 'ProviderRequired'),
  ...when(permissionsOf(permission).length > 0, 'PermissionMissing'),
  ...when(access === 'session', 'SessionRequired'),
  ...when(access !== 'public' || isLimited, 'TooManyRequests'),
];

/**
 * Read-only tokens cannot write even on public routes, so ambiguous credentials are rejected there too; cookies count
 * only on pages of trusted origins.
 */
const ofWrites = ({ method, access, isReplayable }: DescribedRoute): readonly Tag[] => [
  ...when(method !== 'get' && access !== 'edge', 'ReadOnlyToken', 'Unauthenticated'),
  ...when(method !== 'get' && (access === 'protected' || access === 'session'), 'ForeignOrigin'),
  ...when(isReplayable, 'InvalidIdempotencyKey', 'IdempotencyKeyReused'),
];

/** An unknown enum value in a query parameter is reported like an invalid body value. */
const ofBody = (operation: Operation): readonly Tag[] => [
  ...when(
    operation.route.readsBody !== 'never',
    'MalformedBody',
    'PayloadTooLarge',
    'UnsupportedMediaType',
    'InvalidInput',
  ),
  ...when(
    Object.values(queryMembers(operation)).some(({ enum: choices, items }) => (choices ?? items?.enum) !== undefined),
    'InvalidInput',
  ),
];

const ofTarget = ({ route, honoursIfMatch }: Operation): readonly Tag[] => [
  ...when(route.path.includes(':'), 'NotFound'),
  ...when(honoursIfMatch, 'VersionMismatch'),
  ...when(route.needsPrecondition, 'PreconditionRequired'),
];
