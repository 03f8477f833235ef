import type { ResourceDescription } from '../../resources/description.ts';
import { lazy } from '../../site/lazy.ts';
import { type Operation, type Place, resourcesOf } from '../model.ts';
import { type ClassSchemas, type Member, membersOf, type ReadSchema, schemaReader } from './class-members.ts';

/** An operation with its place in the resource model. */
export interface PlacedOperation extends Operation {
  readonly place: Place;
}

/** A resource type as the route table describes it. */
export interface ResourceClass {
  /** `@type`, and the name of the context. */
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly members: readonly Member[];
  /** Operations on one item. */
  readonly operations: readonly PlacedOperation[];
  /** Subresources and actions of one item, by name. */
  readonly parts: readonly Part[];
  /** The collection, if its address has no parameters. */
  readonly collection: { readonly path: string; readonly operations: readonly PlacedOperation[] } | undefined;
}

/** A list or an action below an item's address. */
export interface Part {
  readonly name: string;
  /** The item type if it is a list. */
  readonly collectionOf: string | undefined;
  readonly operations: readonly PlacedOperation[];
}

/** Every resource type in the route table, sorted by name. */
export function resourceClasses(all: readonly Operation[]): readonly ResourceClass[] {
  const operations = all.flatMap((operation) => {
    const { place } = operation;
    return place === undefined ? [] : [{ ...operation, place }];
  });
  const resources = resourcesOf(all);
  const readSchema = schemaReader(resources);
  const byType = new Map(resources.toReversed().map((resource) => [resource.type, resource]));
  return [...byType.values()]
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map((first) => {
      const forms = resources.filter(({ type }) => type === first.type);
      return classOf(first, { forms, operations, readSchema });
    });
}

/** The forms in which a resource type is read, and all operations. */
interface Known {
  readonly forms: readonly ResourceDescription[];
  readonly operations: readonly PlacedOperation[];
  readonly readSchema: ReadSchema;
}

function classOf({ type, title, description }: ResourceDescription, known: Known): ResourceClass {
  const members = lazy(() => membersOf(schemasOf(type, known)));
  return {
    type,
    title,
    description,
    get members() {
      return members();
    },
    operations: known.operations.filter(({ place }) => place.on === 'item' && place.type === type),
    parts: partsOf(type, known.operations),
    collection: collectionOf(type, known.operations),
  };
}

function collectionOf(type: string, operations: readonly PlacedOperation[]): ResourceClass['collection'] {
  const own = operations.filter(({ place }) => place.on === 'collection' && place.type === type);
  const [first] = own;
  return first && { path: first.route.path, operations: own };
}

/** The resource type that a route lists or writes. */
export const typeAt = (place: Place): string | undefined => (place.on === 'part' ? place.collectionOf : place.type);

const isOnList = (place: Place): boolean =>
  place.on === 'collection' || (place.on === 'part' && place.collectionOf !== undefined);

function schemasOf(type: string, { forms, operations, readSchema }: Known): ClassSchemas {
  const writes = operations.flatMap(({ route: { accepts }, place }) =>
    accepts !== undefined && typeAt(place) === type ? [{ accepts, place }] : [],
  );
  const creating = writes.filter(({ accepts, place }) => accepts.kind === 'whole' && isOnList(place));
  return {
    read: forms.map(({ schema }) => readSchema(schema)),
    written: writes.map(({ accepts }) => readSchema(accepts.schema)),
    created: creating.map(({ accepts }) => readSchema(accepts.schema)),
  };
}

function partsOf(type: string, operations: readonly PlacedOperation[]): readonly Part[] {
  const own = operations.flatMap((operation) => {
    const { place } = operation;
    return place.on === 'part' && place.owner === type ? [{ ...place, operation }] : [];
  });
  const names = [...new Set(own.map(({ name }) => name))];
  return names.map((name) => {
    const same = own.filter((part) => part.name === name);
    return { name, collectionOf: same[0]?.collectionOf, operations: same.map(({ operation }) => operation) };
  });
}
