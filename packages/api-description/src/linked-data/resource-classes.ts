import { lazy } from '@zonewright/site';
import { type Operation, type OperationTarget, resourcesOf } from '../model.ts';
import type { ResourceDescription } from '../resource-description.ts';
import { type ClassSchemas, type Member, membersOf, type ReadSchema, schemaReader } from './class-members.ts';

/** An operation with its target in the resource model. */
export interface TargetedOperation extends Operation {
  readonly target: OperationTarget;
}

/** A resource type as the route table describes it. */
export interface ResourceClass {
  /** `@type`, and the name of the context. */
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly members: readonly Member[];
  /** Operations on one item. */
  readonly operations: readonly TargetedOperation[];
  /** Subresources and actions of one item, by name. */
  readonly parts: readonly Part[];
  /** The collection, if its address has no parameters. */
  readonly collection: { readonly path: string; readonly operations: readonly TargetedOperation[] } | undefined;
}

/** A list or an action below an item's address. */
export interface Part {
  readonly name: string;
  /** The item type if it is a list. */
  readonly collectionOf: string | undefined;
  readonly operations: readonly TargetedOperation[];
}

/** Every resource type in the route table, sorted by name. */
export function resourceClasses(all: readonly Operation[]): readonly ResourceClass[] {
  const operations = all.flatMap((operation) => {
    const { target } = operation;
    return target === undefined ? [] : [{ ...operation, target }];
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
interface ClassSources {
  readonly forms: readonly ResourceDescription[];
  readonly operations: readonly TargetedOperation[];
  readonly readSchema: ReadSchema;
}

function classOf({ type, title, description }: ResourceDescription, sources: ClassSources): ResourceClass {
  const members = lazy(() => membersOf(schemasOf(type, sources)));
  return {
    type,
    title,
    description,
    get members() {
      return members();
    },
    operations: sources.operations.filter(({ target }) => target.on === 'item' && target.type === type),
    parts: partsOf(type, sources.operations),
    collection: collectionOf(type, sources.operations),
  };
}

function collectionOf(type: string, operations: readonly TargetedOperation[]): ResourceClass['collection'] {
  const own = operations.filter(({ target }) => target.on === 'collection' && target.type === type);
  const [first] = own;
  return first && { path: first.route.path, operations: own };
}

/** The resource type that a route lists or writes. */
export const typeAt = (target: OperationTarget): string | undefined =>
  target.on === 'part' ? target.collectionOf : target.type;

const isOnList = (target: OperationTarget): boolean =>
  target.on === 'collection' || (target.on === 'part' && target.collectionOf !== undefined);

function schemasOf(type: string, { forms, operations, readSchema }: ClassSources): ClassSchemas {
  const writes = operations.flatMap(({ route: { accepts }, target }) =>
    accepts !== undefined && typeAt(target) === type ? [{ accepts, target }] : [],
  );
  const creating = writes.filter(({ accepts, target }) => accepts.kind === 'whole' && isOnList(target));
  return {
    read: forms.map(({ schema }) => readSchema(schema)),
    written: writes.map(({ accepts }) => readSchema(accepts.schema)),
    created: creating.map(({ accepts }) => readSchema(accepts.schema)),
  };
}

function partsOf(type: string, operations: readonly TargetedOperation[]): readonly Part[] {
  const own = operations.flatMap((operation) => {
    const { target } = operation;
    return target.on === 'part' && target.owner === type ? [{ ...target, operation }] : [];
  });
  const names = [...new Set(own.map(({ name }) => name))];
  return names.map((name) => {
    const same = own.filter((part) => part.name === name);
    return { name, collectionOf: same[0]?.collectionOf, operations: same.map(({ operation }) => operation) };
  });
}
