import { linkedDataDocuments } from '../linked-data/documents.ts';
import { openApiDocuments } from '../openapi/documents.ts';
import { errorPages } from '../pages/error-pages.ts';
import { docsPage } from './docs-page.ts';
import type { PreparedDocument } from './documents.ts';
import type { Route } from './route.ts';

/** Every document that describes the API, made of the route table. The first of a path is for clients that do not care. */
export const preparedDocuments = (
  routes: readonly Route[],
  service: { readonly publicBaseUrl: string },
): readonly PreparedDocument[] => [
  docsPage(routes, service),
  ...openApiDocuments(routes, service),
  ...linkedDataDocuments(routes, service),
  ...errorPages(routes),
];
