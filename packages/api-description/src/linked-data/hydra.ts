import type { DescribedRoute } from '../route.ts';
import { type ClassSchemas, membersOf, schemaReader } from './class-members.ts';
import { type EntryPoint, entryPoints } from './entrypoint.ts';
import { hydraTerms } from './hydra-terms.ts';
import { problemClasses } from './problem-vocabulary.ts';
import type { Part, ResourceClass, TargetedOperation } from './resource-classes.ts';
import { describeOperation, inputClassOf } from './supported-operations.ts';
import { collectionsOf, supportedProperties } from './supported-property.ts';
import { documentationPath, type PublicAddress } from './vocabulary.ts';

type Node = Readonly<Record<string, unknown>>;

/** The API documentation for machine clients (Hydra core vocabulary, "ApiDocumentation"). */
export const apiDocumentation = (classes: readonly ResourceClass[], address: PublicAddress): Node => ({
  '@context': hydraTerms(address),
  '@id': documentationPath,
  '@type': 'ApiDocumentation',
  title: 'Zonewright API',
  description: 'Manages accounts, organizations, proxy zones and their rules.',
  entrypoint: '/api',
  supportedClass: [
    ...classes.map(resourceClass),
    ...valueClasses(classes),
    entrypointClass(entryPoints(classes)),
    ...problemClasses,
  ],
});

const resourceClass = ({ type, description, members, parts, operations }: ResourceClass): Node => ({
  '@id': `#${type}`,
  '@type': 'Class',
  title: type,
  description,
  supportedProperty: [...supportedProperties(type, members), ...parts.map((part) => partProperty(type, part))],
  supportedOperation: operations.map(describeOperation),
});

/** A link to a list, or to something else, with the operations on it. */
const linkProperty = (
  type: string,
  { name, collectionOf, operations }: Part,
  { readable, description }: { readonly readable: boolean; readonly description: string },
): Node => ({
  '@type': 'SupportedProperty',
  property: {
    '@id': `#${type}/${name}`,
    '@type': 'Link',
    label: name,
    domain: `#${type}`,
    ...(collectionOf === undefined ? {} : { range: collectionsOf(collectionOf) }),
    'owl:maxCardinality': 1,
    supportedOperation: operations.map(describeOperation),
  },
  title: name,
  required: false,
  readable,
  writeable: false,
  description,
});

/** Items do not contain it: clients build its address, which is in the description. */
const partProperty = (type: string, part: Part): Node => {
  const path = part.operations[0]?.route.path.replaceAll(/:(\w+)/g, '{$1}');
  return linkProperty(type, part, { readable: false, description: `At \`${path}\`.` });
};

const entrypointClass = (entries: readonly EntryPoint[]): Node => ({
  '@id': '#Entrypoint',
  '@type': 'Class',
  title: 'Entrypoint',
  description: 'The entry point of the API.',
  supportedProperty: entries.map(entryProperty),
  supportedOperation: [
    { '@type': ['Operation', 'schema:FindAction'], method: 'GET', title: 'getEntrypoint', returns: 'Entrypoint' },
  ],
});

const entryProperty = ({ name, resource: { type, title, collection } }: EntryPoint): Node =>
  linkProperty(
    'Entrypoint',
    { name, collectionOf: type, operations: collection?.operations ?? [] },
    { readable: true, description: `The list of every ${title} you can access.` },
  );

/** Classes of request and response bodies that are not resources. */
function valueClasses(classes: readonly ResourceClass[]): readonly Node[] {
  const operations = classes.flatMap(({ parts }) => parts.flatMap((part) => part.operations));
  const described = operations.flatMap((operation) => [...inputOf(operation), ...outputOf(operation.route)]);
  return [...new Map(described.map((each) => [each['@id'], each])).values()];
}

const readSchema = schemaReader([]);

function inputOf(operation: TargetedOperation): readonly Node[] {
  const name = inputClassOf(operation);
  const { accepts, summary } = operation.route;
  if (name === undefined || accepts === undefined) return [];
  const schemas = [readSchema(accepts.schema)];
  return [valueClass(name, summary, { read: [], written: schemas, created: schemas })];
}

const outputOf = ({ answers }: DescribedRoute): readonly Node[] =>
  answers.kind === 'object'
    ? [valueClass(answers.title, undefined, { read: [readSchema(answers.schema)], written: [], created: [] })]
    : [];

const valueClass = (name: string, description: string | undefined, schemas: ClassSchemas): Node => ({
  '@id': `#${name}`,
  '@type': 'Class',
  title: name,
  ...(description === undefined ? {} : { description }),
  supportedProperty: supportedProperties(name, membersOf(schemas)),
});
