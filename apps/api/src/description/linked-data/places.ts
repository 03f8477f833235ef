import type { Route } from '../../http/route.ts';
import type { ResourceDescription } from '../../resources/description.ts';

/** What a route is an operation on. */
export type Place =
  | { readonly on: 'item'; readonly type: string }
  | { readonly on: 'collection'; readonly type: string }
  /** Something at an address below that of an item, with the rest of the path as its name. */
  | { readonly on: 'part'; readonly owner: string; readonly name: string; readonly collectionOf: string | undefined };

/** The description of the resource that a route answers with. */
export const resourceOf = ({ answers }: Route): ResourceDescription | undefined =>
  'resource' in answers ? answers.resource : undefined;

/** Paths are the same whatever their parameters are called. */
const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':');

const parentOf = (shape: string): string => shape.slice(0, shape.lastIndexOf('/'));

/** Says what each route of the table operates on; undefined for those that belong to no resource. */
export function placesIn(routes: readonly Route[]): (route: Route) => Place | undefined {
  const collections = typesOf(routes, 'list');
  const items = new Map([...deletableOnly(routes, collections), ...typesOf(routes, 'item')]);
  const ownerOf = (shape: string): string | undefined =>
    shape === '' || items.has(shape) ? shape : ownerOf(parentOf(shape));
  return ({ path }) => {
    const shape = shapeOf(path);
    const [item, collection] = [items.get(shape), collections.get(shape)];
    if (item !== undefined) return { on: 'item', type: item };
    if (collection !== undefined && !shape.includes(':')) return { on: 'collection', type: collection };
    const at = ownerOf(shape) ?? '';
    const owner = items.get(at);
    if (owner === undefined) return undefined;
    return { on: 'part', owner, name: shape.slice(at.length + 1), collectionOf: collection };
  };
}

/** The type of resource that reads answer with, by path. */
const typesOf = (routes: readonly Route[], kind: 'item' | 'list'): Map<string, string> =>
  new Map(
    routes.flatMap((route) => {
      const resource = resourceOf(route);
      const isRead = route.method === 'get' && route.answers.kind === kind;
      return isRead && resource !== undefined ? [[shapeOf(route.path), resource.type] as const] : [];
    }),
  );

/** Items that nobody reads one by one are one segment below their list. */
const deletableOnly = (routes: readonly Route[], collections: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    routes.flatMap(({ path }) => {
      const shape = shapeOf(path);
      const type = shape.endsWith('/:') ? collections.get(parentOf(shape)) : undefined;
      return type === undefined ? [] : [[shape, type] as const];
    }),
  );
