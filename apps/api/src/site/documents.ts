import { type DocsSection, docsPage, homePage, notFoundPage, type StaticDocument } from '@zonewright/site';
import { linkedDataDocuments } from '../description/linked-data/linked-data-documents.ts';
import { type Operation, operationsOf } from '../description/model.ts';
import { openApiDocuments } from '../description/openapi/openapi-documents.ts';
import { tagOf, tagsOf } from '../description/openapi/tags.ts';
import type { Route } from '../http/route.ts';
import { errorPages } from './error-pages.ts';
import { securityTxt } from './security-txt.ts';

/** All documents that describe the API, generated from the route table. The first one of a path is the default. */
export const describingDocuments = (
  routes: readonly Route[],
  service: { readonly publicBaseUrl: string; readonly securityContacts: readonly string[] },
): readonly StaticDocument[] => {
  const operations = operationsOf(routes);
  return [
    docsPage(docsSections(operations), service),
    ...openApiDocuments(operations, service),
    ...linkedDataDocuments(operations, service),
    homePage,
    notFoundPage(service),
    ...securityTxt(service),
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
