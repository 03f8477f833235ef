import { once } from '../../site/once.ts';
import { madeWhenAsked, type StaticDocument } from '../../site/static-server.ts';
import type { Operation } from '../model.ts';
import { openApiDocument } from './document.ts';

const mediaType = 'application/vnd.openapi+json; charset=utf-8';

/** The OpenAPI document, at an address of its own and at that of the documentation for those who ask for this format. */
export function openApiDocuments(
  operations: readonly Operation[],
  service: { readonly publicBaseUrl: string },
): readonly StaticDocument[] {
  const body = once(() => JSON.stringify(openApiDocument(operations, service)));
  return ['/api/docs.jsonopenapi', '/api/docs'].map((path) => madeWhenAsked({ path, mediaType }, body));
}
