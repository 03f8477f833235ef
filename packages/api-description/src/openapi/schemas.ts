import { Conditions, memoized, ScenarioFilter, SettingsOverrides, ZoneSettings } from '@zonewright/core';
import type { z } from 'zod';
import { mediaTypes } from '../media-types.ts';
import { type Operation, resourcesOf } from '../model.ts';
import type { ResourceDescription } from '../resource-description.ts';
import { readSchema, type SchemaNames, writtenSchema } from './conversion.ts';
import { exampleOf, type Samples, sampleId } from './examples.ts';
import { mapMembers, type Schema } from './json-schema.ts';
import { mergePatchOf } from './merge-patch.ts';
import { problemSchemas } from './problem-schemas.ts';
import { bodyName, bodySchema, patchName } from './request-bodies.ts';
import {
  collectionName,
  collectionParts,
  collectionSchema,
  itemName,
  linkedItem,
  linkedKeys,
  plainItem,
} from './resource-schemas.ts';

/** Parts of resources that are components of their own. */
const parts: Readonly<Record<string, z.ZodType>> = { ZoneSettings, SettingsOverrides, Conditions, ScenarioFilter };

const inputName = (name: string): string => `${name}Input`;

const partNames = (nameOf: (name: string) => string): SchemaNames =>
  new Map(Object.entries(parts).map(([name, schema]) => [schema, nameOf(name)]));

const writtenNames = partNames(inputName);

/** All component schemas by name. Item schemas include an example. */
export function schemasOf(operations: readonly Operation[]): Readonly<Record<string, Schema>> {
  const resources = namedResources(operations);
  const plain = plainItems(resources);
  const items = { ...plain, ...linkedItems(resources, plain) };
  const others = {
    ...partSchemas(),
    ...objectSchemas(operations),
    ...listSchemas(operations),
    ...bodySchemas(operations, resources, plain),
    ...collectionParts,
    ...problemSchemas,
  };
  const samples = samplesOf(operations, { ...items, ...others });
  return { ...mapMembers(items, (item) => ({ ...item, examples: [exampleOf(item, samples)] })), ...others };
}

type Schemas = Readonly<Record<string, Schema>>;

function plainItems(resources: readonly ResourceDescription[]): Schemas {
  const nameOf = (resource: ResourceDescription) => itemName(resource, mediaTypes.json);
  const names: SchemaNames = new Map([
    ...partNames((name) => name),
    ...resources.map((resource) => [resource.schema, nameOf(resource)] as const),
  ]);
  return Object.fromEntries(resources.map((resource) => [nameOf(resource), plainItem(resource, names)]));
}

function linkedItems(resources: readonly ResourceDescription[], plain: Schemas): Schemas {
  const names = new Set(Object.keys(plain));
  const parts = new Set(resources.flatMap((resource) => resource.parts ?? []));
  return Object.fromEntries(
    resources.map((resource) => {
      const item = plain[itemName(resource, mediaTypes.json)] ?? {};
      return [
        itemName(resource, mediaTypes.linked),
        linkedItem(resource, item, names, parts.has(resource) ? ['@type'] : linkedKeys),
      ];
    }),
  );
}

/** Sources of example values for the operations. */
export const samplesOf = (operations: readonly Operation[], schemas: Samples['schemas']): Samples => ({
  schemas,
  iri: (type) => sampleIri(operations, type),
});

/** Every resource representation. Two with one name would overwrite each other. */
function namedResources(operations: readonly Operation[]): readonly ResourceDescription[] {
  const resources = resourcesOf(operations);
  const names = resources.map((resource) => itemName(resource, mediaTypes.json));
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`Two resources have the schema name ${duplicate}; rename one.`);
  return resources;
}

const partSchemas = (): Schemas =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([name, schema]) => {
      const input = writtenSchema(schema, writtenNames);
      return [
        [name, readSchema(schema)],
        [inputName(name), input],
        [patchName(inputName(name)), mergePatchOf(input, patchName)],
      ];
    }),
  );

const objectSchemas = (operations: readonly Operation[]): Schemas =>
  Object.fromEntries(
    operations.flatMap(({ route: { answers } }) =>
      answers.kind === 'object' ? [[answers.title, readSchema(answers.schema)]] : [],
    ),
  );

const listSchemas = (operations: readonly Operation[]): Schemas =>
  Object.fromEntries(
    operations.flatMap(({ route: { answers, formats } }) =>
      answers.kind === 'list'
        ? formats
            .filter((format) => format === mediaTypes.linked || answers.plainForm === 'object')
            .map((format) => [collectionName(answers.resource, format), collectionSchema(answers.resource, format)])
        : [],
    ),
  );

function bodySchemas(
  operations: readonly Operation[],
  resources: readonly ResourceDescription[],
  items: Schemas,
): Schemas {
  // Operations share schemas.
  const written = memoized((schema: z.ZodType) => writtenSchema(schema, writtenNames));
  return Object.fromEntries(
    operations.flatMap((operation) => {
      const { accepts, answers } = operation.route;
      if (accepts === undefined) return [];
      const read = 'resource' in answers ? membersOf(answers.resource, resources, items) : {};
      const { kind, schema } = accepts;
      return [[bodyName(operation), bodySchema({ kind, role: operation.role, written: written(schema), read })]];
    }),
  );
}

/** The members of a resource in any representation; the given representation takes precedence. */
const membersOf = (resource: ResourceDescription, resources: readonly ResourceDescription[], items: Schemas): Schemas =>
  Object.fromEntries(
    [...resources.filter(({ type }) => type === resource.type), resource].flatMap((form) =>
      Object.entries(items[itemName(form, mediaTypes.json)]?.properties ?? {}),
    ),
  );

/** Prefers the address with path parameters: items use that one. */
function sampleIri(operations: readonly Operation[], type: string): string {
  const paths = operations.flatMap(({ route: { path, answers }, role }) =>
    role === 'read' && 'resource' in answers && answers.resource.type === type ? [path] : [],
  );
  const path = paths.find((each) => each.includes(':')) ?? paths[0] ?? '/api';
  return path.replaceAll(/:\w+/g, (parameter, at: number) =>
    parameter === ':number' || path.slice(0, at).endsWith('/organizations/') ? '1' : sampleId,
  );
}
