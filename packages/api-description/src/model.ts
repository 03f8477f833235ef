import type { ResourceDescription } from './resource-description.ts';
import type { DescribedRoute } from './route.ts';
import { pascalCase, plural, uncapitalized } from './words.ts';

/** The resource, list or subresource that a route operates on. */
export type OperationTarget =
  /** `owner`: the type of the parent item, if any. */
  | { readonly on: 'item'; readonly type: string; readonly owner: string | undefined }
  | { readonly on: 'collection'; readonly type: string }
  /** A subresource or action of an item, named by the rest of the path. */
  | { readonly on: 'part'; readonly owner: string; readonly name: string; readonly collectionOf: string | undefined };

/** What an operation does to a resource; anything not listed is an action. */
export type Role = 'list' | 'read' | 'create' | 'update' | 'replace' | 'delete' | 'action';

/** A route with what the rest of the route table implies about it. */
export interface Operation {
  readonly route: DescribedRoute;
  readonly role: Role;
  /** Stable, unique name used by client generators. */
  readonly id: string;
  /** The resource under which it is documented. */
  readonly subject: ResourceDescription | undefined;
  /** Whether it compares `If-Match` with the current version. */
  readonly honoursIfMatch: boolean;
  /** Undefined for operations that belong to no resource. */
  readonly target: OperationTarget | undefined;
}

/** Operation ids that the derived words would make awkward. */
const idOverrides: Readonly<Record<string, string>> = {
  'post /api/auth/login': 'logIn',
  'post /api/auth/2fa': 'completeTwoFactor',
  'post /api/auth/refresh': 'refreshSession',
  'post /api/auth/logout': 'logOut',
  'delete /api/users/me/sessions': 'deleteSessions',
  'post /api/2fa/setup': 'setUpTwoFactor',
  'post /api/2fa/confirm': 'confirmTwoFactor',
  'post /api/2fa/disable': 'disableTwoFactor',
  'post /api/2fa/recovery-codes': 'replaceRecoveryCodes',
  'get /api/users/me': 'readProfile',
  'patch /api/users/me': 'updateProfile',
  'post /api/users/me/password': 'changePassword',
  'post /api/users/me/email': 'changeEmail',
  'post /api/auth/confirm': 'confirmSession',
  'get /api/auth/providers/:id/start': 'startProviderSignIn',
  'get /api/auth/providers/:id/callback': 'completeProviderSignIn',
  'post /api/auth/providers/:id/token': 'redeemProviderCode',
  'post /api/users/me/providers/:id/start': 'startProviderLink',
  'post /api/invitations/accept': 'acceptInvitation',
  'post /edge/v1/enrolments': 'enrolEdge',
  'get /edge/v1/changes': 'readEdgeChanges',
  'get /edge/v1/documents/:digest': 'readEdgeDocument',
  'put /edge/v1/state': 'reportEdgeState',
  'get /api/zones/:id/delivery': 'readZoneDelivery',
  'post /api/auth/passkey/options': 'passkeySignInOptions',
  'post /api/auth/passkey': 'signInByPasskey',
  'post /api/auth/2fa/options': 'passkeyChallengeOptions',
  'post /api/auth/confirm/options': 'passkeyConfirmationOptions',
  'post /api/users/me/passkeys/options': 'newPasskeyOptions',
  'post /api/zones/:id/ban-token': 'rotateBanToken',
  'post /api/zones/:id/evaluation': 'evaluateRequest',
  'get /api/zones/:zoneId/revisions/:number/findings': 'readRevisionFindings',
  'get /api/zones/:zoneId/change-sets/:id/findings': 'readChangeSetFindings',
  'get /api/zones/:zoneId/change-sets/:id/behaviour': 'readChangeSetBehaviour',
  'get /api/zones/:zoneId/change-sets/:id/evaluation': 'readChangeSetEvaluation',
  'post /api/zones/:zoneId/change-sets/:id/evaluation': 'evaluateChangeSet',
};

/** Names of parts, by path, where the rest of the path names a member of the item. */
const partNames: Readonly<Record<string, string>> = { '/api/users/me/email': 'email-change' };

/** The operations of the route table, in order. */
export function operationsOf(routes: readonly DescribedRoute[]): readonly Operation[] {
  const reads = readsByPath(routes);
  const targetOf = targetsIn(routes, reads);
  return routes.map((route) => {
    const role = roleOf(route, reads);
    return {
      route,
      role,
      id: idOverrides[`${route.method} ${route.path}`] ?? idOf(route, role, reads),
      subject: subjectOf(route.path, reads),
      honoursIfMatch: honoursIfMatch(route, role, reads),
      target: targetOf(route),
    };
  });
}

/** The description of the resource in a route's response. */
const resourceOf = ({ answers }: DescribedRoute): ResourceDescription | undefined =>
  'resource' in answers ? answers.resource : undefined;

/** Every resource representation in the responses, once, including embedded parts. */
export const resourcesOf = (operations: readonly Operation[]): readonly ResourceDescription[] => {
  const answered = operations.flatMap(({ route }) => resourceOf(route) ?? []);
  return [...new Set(answered.flatMap((resource) => [resource, ...(resource.parts ?? [])]))];
};

/**
 * Resources returned by `GET`, by path with anonymous parameters, because routes name the same parameter differently.
 */
type Reads = ReadonlyMap<string, { readonly kind: 'list' | 'item'; readonly resource: ResourceDescription }>;

const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':');
const above = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const readsByPath = (routes: readonly DescribedRoute[]): Reads =>
  new Map(
    routes.flatMap(({ method, path, answers }) =>
      method === 'get' && 'resource' in answers ? [[shapeOf(path), answers] as const] : [],
    ),
  );

function roleOf({ method, path, answers }: DescribedRoute, reads: Reads): Role {
  switch (method) {
    case 'get':
      return answers.kind === 'list' ? 'list' : 'read';
    case 'put':
      return 'replace';
    case 'patch':
      return 'update';
    case 'delete':
      return 'delete';
    case 'post':
      return reads.get(shapeOf(path))?.kind === 'list' ? 'create' : 'action';
  }
}

function idOf(route: DescribedRoute, role: Role, reads: Reads): string {
  const { path } = route;
  const type = resourceOf(route)?.type;
  switch (role) {
    case 'list':
    case 'replace':
      return `${role}${plural(type ?? '')}`;
    case 'read':
    case 'create':
    case 'update':
      return `${role}${type}`;
    case 'delete':
      return `delete${subjectOf(path, reads)?.type}`;
    case 'action':
      return `${uncapitalized(pascalCase(lastSegment(path)))}${reads.get(shapeOf(above(path)))?.resource.type ?? ''}`;
  }
}

/** The closest list among the path and its ancestors, or else the closest item. */
function subjectOf(path: string, reads: Reads): ResourceDescription | undefined {
  const candidates = pathsUpFrom(shapeOf(path)).flatMap((shape) => reads.get(shape) ?? []);
  return (candidates.find(({ kind }) => kind === 'list') ?? candidates[0])?.resource;
}

const pathsUpFrom = (path: string): readonly string[] => (path === '' ? [] : [path, ...pathsUpFrom(above(path))]);

/** Readable items are versioned, so operations on them honour `If-Match`. */
function honoursIfMatch(
  { path, answers, needsPrecondition, comparesParent }: DescribedRoute,
  role: Role,
  reads: Reads,
): boolean {
  if (role === 'update' || role === 'delete') return reads.get(shapeOf(path))?.kind === 'item';
  if (role === 'action') {
    // The representation at this address is computed and has no version.
    const isComputed = reads.has(shapeOf(path));
    return answers.kind === 'item' && !isComputed && reads.get(shapeOf(above(path)))?.kind === 'item';
  }
  return needsPrecondition || comparesParent;
}

/** Determines the target of each route. */
function targetsIn(
  routes: readonly DescribedRoute[],
  reads: Reads,
): (route: DescribedRoute) => OperationTarget | undefined {
  const shapes = new Set(routes.map(({ path }) => shapeOf(path)));
  const listAt = (shape: string): string | undefined => typeAt(reads, shape, 'list');
  /** Items without a route of their own are one segment below their list. */
  const itemAt = (shape: string): string | undefined =>
    typeAt(reads, shape, 'item') ?? (shape.endsWith('/:') && shapes.has(shape) ? listAt(above(shape)) : undefined);
  return ({ path }) => {
    const shape = shapeOf(path);
    const [item, collection] = [itemAt(shape), listAt(shape)];
    if (collection !== undefined && !shape.includes(':')) return { on: 'collection', type: collection };
    const at = pathsUpFrom(above(shape)).find((each) => itemAt(each) !== undefined) ?? '';
    const owner = itemAt(at);
    if (item !== undefined) return { on: 'item', type: item, owner };
    return owner === undefined
      ? undefined
      : { on: 'part', owner, name: partNames[path] ?? shape.slice(at.length + 1), collectionOf: collection };
  };
}

/** The resource type that `GET` returns at a path, as an item or a list. */
function typeAt(reads: Reads, shape: string, kind: 'item' | 'list'): string | undefined {
  const read = reads.get(shape);
  return read?.kind === kind ? read.resource.type : undefined;
}
