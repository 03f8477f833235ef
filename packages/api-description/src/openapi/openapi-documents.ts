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
    served('/api/docs.jsonopenapi', 'application/vnd.openapi+json; charset=utf-8', json),
    served('/api/docs', 'application/vnd.openapi+json; charset=utf-8', json),
    served('/openapi.json', 'application/json; charset=utf-8', json),
    served('/openapi.yaml', 'application/yaml; charset=utf-8', yaml),
  ];
}

/** Editors and generators on other sites read it, too. */
const served = (path: string, mediaType: string, make: () => string): StaticDocument =>
  lazyFile({ path, mediaType, isForAnyOrigin: true }, make);
