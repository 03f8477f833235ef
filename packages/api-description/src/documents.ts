import { type DocsSection, docsPage, type StaticDocument } from '@zonewright/site';
import { linkedDataDocuments } from './linked-data/linked-data-documents.ts';
import { type Operation, operationsOf } from './model.ts';
import { openApiDocuments } from './openapi/openapi-documents.ts';
import { tagOf, tagsOf } from './openapi/tags.ts';
import { errorPages } from './problem-pages.ts';
import type { DescribedRoute } from './route.ts';

/** All documents that describe the API. The first one of a path is the default. */
export const describingDocuments = (
  routes: readonly DescribedRoute[],
  service: { readonly publicBaseUrl: string },
): readonly StaticDocument[] => {
  const operations = operationsOf(routes);
  return [
    docsPage(docsSections(operations), service),
    ...openApiDocuments(operations, service),
    ...linkedDataDocuments(operations, service),
    ...errorPages(routes),
  ];
};

/** The operations by tag, as the OpenAPI document groups them. */
export const docsSections = (operations: readonly Operation[]): readonly DocsSection[] =>
  tagsOf(operations).map((tag) => ({
    ...tag,
    operations: operations
      .filter((operation) => tagOf(operation).name === tag.name)
      .map(({ id, route: { method, path, summary } }) => ({ id, method, path, summary })),
  }));
