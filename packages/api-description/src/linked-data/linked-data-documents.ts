import { lazy, lazyFile, type StaticDocument } from '@zonewright/site';
import { mediaTypes } from '../media-types.ts';
import type { Operation } from '../model.ts';
import { problemTypes } from '../problems/problem-types.ts';
import { type Context, entrypointContext, resourceContext } from './context.ts';
import { contextIri } from './context-iri.ts';
import { entryPoints, linkedEntrypoint, plainEntrypoint } from './entrypoint.ts';
import { apiDocumentation } from './hydra.ts';
import { problemContext } from './problem-vocabulary.ts';
import { type ResourceClass, resourceClasses } from './resource-classes.ts';
import { documentationPath, type PublicAddress } from './vocabulary.ts';

/** The documents that make the API self-describing linked data: entrypoint, API documentation and contexts. */
export function linkedDataDocuments(
  operations: readonly Operation[],
  address: PublicAddress,
): readonly StaticDocument[] {
  const classes = resourceClasses(operations);
  const entries = entryPoints(classes);
  const documentation = lazy(() => apiDocumentation(classes, address));
  return [
    ...['/api', '/'].flatMap((path) => [
      linked(path, () => linkedEntrypoint(entries)),
      { path, mediaType: `${mediaTypes.json}; charset=utf-8`, body: JSON.stringify(plainEntrypoint(entries)) },
    ]),
    linked(documentationPath, documentation),
    linked('/api/docs', documentation),
    ...contexts(classes, address).flatMap(([name, context]) =>
      [contextIri(name), `${contextIri(name)}.jsonld`].map((path) => linked(path, () => ({ '@context': context() }))),
    ),
  ];
}

type Contexts = readonly (readonly [name: string, context: () => Context])[];

const contexts = (classes: readonly ResourceClass[], address: PublicAddress): Contexts => [
  ['Entrypoint', () => entrypointContext(namesOf(classes), address)],
  ...problemTypes.map((type) => [type, () => problemContext(type, address)] as const),
  ...classes.map((each) => [each.type, () => resourceContext(each, classes, address)] as const),
];

const namesOf = (classes: readonly ResourceClass[]) => entryPoints(classes).map(({ name }) => name);

const linked = (path: string, body: () => unknown): StaticDocument =>
  lazyFile({ path, mediaType: `${mediaTypes.linked}; charset=utf-8`, isForAnyOrigin: true }, () =>
    JSON.stringify(body()),
  );
