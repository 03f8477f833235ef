import { lazy, lazyFile, type StaticDocument } from '@zonewright/site';
import { stringify } from 'yaml';
import type { Operation } from '../model.ts';
import { openApiDocument } from './document.ts';

/** Serves the OpenAPI document where tools look for it, and at the documentation's address by media type. */
export function openApiDocuments(
  operations: readonly Operation[],
  service: { readonly publicBaseUrl: string },
): readonly StaticDocument[] {
  const document = lazy(() => openApiDocument(operations, service));
  const json = lazy(() => JSON.stringify(document()));
  const yaml = () => stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 });
  return [
    lazyFile({ path: '/api/docs.jsonopenapi', mediaType: 'application/vnd.openapi+json; charset=utf-8' }, json),
    lazyFile({ path: '/api/docs', mediaType: 'application/vnd.openapi+json; charset=utf-8' }, json),
    lazyFile({ path: '/openapi.json', mediaType: 'application/json; charset=utf-8' }, json),
    lazyFile({ path: '/openapi.yaml', mediaType: 'application/yaml; charset=utf-8' }, yaml),
  ];
}
