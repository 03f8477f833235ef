import type { Route } from '../http/route.ts';
import type { ResourceDescription } from '../resources/description.ts';
import { pascalCase, plural, uncapitalized } from './words.ts';

/** What a route is an operation on. */
export type Place =
  /** `owner`: the type of the item below whose address it is, if any. */
  | { readonly on: 'item'; readonly type: string; readonly owner: string | undefined }
  | { readonly on: 'collection'; readonly type: string }
  /** Something at an address below that of an item, with the rest of the path as its name. */
  | { readonly on: 'part'; readonly owner: string; readonly name: string; readonly collectionOf: string | undefined };

/** What an operation does with resources; everything that is not done with one of them is an action. */
export type Role = 'list' | 'read' | 'create' | 'update' | 'replace' | 'delete' | 'action';

/** A route, with what the rest of the table says of it. */
export interface Operation {
  readonly route: Route;
  readonly role: Role;
  /** Name for programs; unique, and the same for ever. */
  readonly id: string;
  /** The resource that it is filed under. */
  readonly subject: ResourceDescription | undefined;
  /** Whether it changes something only if that is in the state that `If-Match` names. */
  readonly honoursIfMatch: boolean;
  /** What it operates on; undefined for what belongs to no resource. */
  readonly place: Place | undefined;
}

/** Where the table alone does not lead to the words that people would use. */
const spokenIds: Readonly<Record<string, string>> = {
  'post /api/auth/login': 'logIn',
  'post /api/auth/2fa': 'completeTwoFactor',
  'post /api/auth/refresh': 'refreshSession',
  'post /api/auth/logout': 'logOut',
  'post /api/2fa/setup': 'setUpTwoFactor',
  'post /api/2fa/confirm': 'confirmTwoFactor',
  'post /api/2fa/disable': 'disableTwoFactor',
  'post /api/2fa/recovery-codes': 'replaceRecoveryCodes',
  'get /api/users/me': 'readProfile',
  'patch /api/users/me': 'updateProfile',
  'post /api/users/me/password': 'changePassword',
  'post /api/invitations/accept': 'acceptInvitation',
  'post /api/zones/:id/ban-token': 'rotateBanToken',
  'post /api/zones/:id/evaluation': 'evaluateRequest',
  'get /api/zones/:zoneId/revisions/:number/findings': 'readRevisionFindings',
  'get /api/zones/:zoneId/change-sets/:id/findings': 'readChangeSetFindings',
  'get /api/zones/:zoneId/change-sets/:id/behaviour': 'readChangeSetBehaviour',
  'get /api/zones/:zoneId/change-sets/:id/evaluation': 'readChangeSetEvaluation',
  'post /api/zones/:zoneId/change-sets/:id/evaluation': 'evaluateChangeSet',
};

/** Every operation of the table, in its order. */
export function operationsOf(routes: readonly Route[]): readonly Operation[] {
  const reads = readsByPath(routes);
  const placeOf = placesIn(routes, reads);
  return routes.map((route) => {
    const role = roleOf(route, reads);
    return {
      route,
      role,
      id: spokenIds[`${route.method} ${route.path}`] ?? idOf(route, role, reads),
      subject: subjectOf(route.path, reads),
      honoursIfMatch: honoursIfMatch(route, role, reads),
      place: placeOf(route),
    };
  });
}

/** The description of the resource that a route answers with. */
const resourceOf = ({ answers }: Route): ResourceDescription | undefined =>
  'resource' in answers ? answers.resource : undefined;

/** Every form of every resource that the routes answer with, once, and what they consist of. */
export const resourcesOf = (operations: readonly Operation[]): readonly ResourceDescription[] => {
  const answered = operations.flatMap(({ route }) => resourceOf(route) ?? []);
  return [...new Set(answered.flatMap((resource) => [resource, ...(resource.parts ?? [])]))];
};

/** What `GET` answers, by path; parameters have different names on different routes. */
type Reads = ReadonlyMap<string, { readonly kind: 'list' | 'item'; readonly resource: ResourceDescription }>;

const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':');
const above = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const readsByPath = (routes: readonly Route[]): Reads =>
  new Map(
    routes.flatMap(({ method, path, answers }) =>
      method === 'get' && 'resource' in answers ? [[shapeOf(path), answers] as const] : [],
    ),
  );

function roleOf({ method, path, answers }: Route, reads: Reads): Role {
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

function idOf(route: Route, role: Role, reads: Reads): string {
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

/** The closest list that the path is part of, or else the closest item. */
function subjectOf(path: string, reads: Reads): ResourceDescription | undefined {
  const found = pathsUpFrom(shapeOf(path)).flatMap((shape) => reads.get(shape) ?? []);
  return (found.find(({ kind }) => kind === 'list') ?? found[0])?.resource;
}

const pathsUpFrom = (path: string): readonly string[] => (path === '' ? [] : [path, ...pathsUpFrom(above(path))]);

/** What can be read has a version, and so has everything that is done to it. */
function honoursIfMatch({ path, answers, needsPrecondition, comparesAbove }: Route, role: Role, reads: Reads): boolean {
  if (role === 'update' || role === 'delete') return reads.get(shapeOf(path))?.kind === 'item';
  if (role === 'action') {
    // What is read at the same address is computed: there is no state to name.
    const isComputed = reads.has(shapeOf(path));
    return answers.kind === 'item' && !isComputed && reads.get(shapeOf(above(path)))?.kind === 'item';
  }
  return needsPrecondition || comparesAbove;
}

/** Says what each route of the table operates on. */
function placesIn(routes: readonly Route[], reads: Reads): (route: Route) => Place | undefined {
  const shapes = new Set(routes.map(({ path }) => shapeOf(path)));
  const listAt = (shape: string): string | undefined => typeAt(reads, shape, 'list');
  /** Items that are not read one by one are one segment below their list. */
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
      : { on: 'part', owner, name: shape.slice(at.length + 1), collectionOf: collection };
  };
}

/** The type of the resource that `GET` answers with at a path, alone or in a list. */
function typeAt(reads: Reads, shape: string, kind: 'item' | 'list'): string | undefined {
  const read = reads.get(shape);
  return read?.kind === kind ? read.resource.type : undefined;
}
