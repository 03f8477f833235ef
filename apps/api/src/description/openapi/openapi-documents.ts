import type { Route } from '../../http/route.ts';
import type { StaticDocument } from '../../site/static-server.ts';
import { openApiDocument } from './document.ts';

const mediaType = 'application/vnd.openapi+json; charset=utf-8';

/** The OpenAPI document, at an address of its own and at that of the documentation for those who ask for this format. */
export function openApiDocuments(
  routes: readonly Route[],
  service: { readonly publicBaseUrl: string },
): readonly StaticDocument[] {
  const body = JSON.stringify(openApiDocument(routes, service));
  return ['/api/docs.jsonopenapi', '/api/docs'].map((path) => ({ path, mediaType, body }));
}
