import { linkedDataDocuments } from '../description/linked-data/linked-data-documents.ts';
import { operationsOf } from '../description/model.ts';
import { openApiDocuments } from '../description/openapi/openapi-documents.ts';
import { errorPages } from '../errors/error-pages.ts';
import type { Route } from '../http/route.ts';
import { docsPage } from './docs-page.ts';
import { homePage } from './home-page.ts';
import type { StaticDocument } from './static-server.ts';

/** All documents that describe the API, generated from the route table. The first one of a path is the default. */
export const describingDocuments = (
  routes: readonly Route[],
  service: { readonly publicBaseUrl: string },
): readonly StaticDocument[] => {
  const operations = operationsOf(routes);
  return [
    docsPage(operations, service),
    ...openApiDocuments(operations, service),
    ...linkedDataDocuments(operations, service),
    homePage,
    ...errorPages(routes),
  ];
};
