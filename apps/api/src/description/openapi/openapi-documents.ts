import { stringify } from 'yaml';
import { once } from '../../site/once.ts';
import { madeWhenAsked, type StaticDocument } from '../../site/static-server.ts';
import type { Operation } from '../model.ts';
import { openApiDocument } from './document.ts';

/** The OpenAPI document: at the addresses where tools look for it, and at that of the documentation by its media type. */
export function openApiDocuments(
  operations: readonly Operation[],
  service: { readonly publicBaseUrl: string },
): readonly StaticDocument[] {
  const document = once(() => openApiDocument(operations, service));
  const json = once(() => JSON.stringify(document()));
  const yaml = () => stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 });
  return [
    madeWhenAsked({ path: '/api/docs.jsonopenapi', mediaType: 'application/vnd.openapi+json; charset=utf-8' }, json),
    madeWhenAsked({ path: '/api/docs', mediaType: 'application/vnd.openapi+json; charset=utf-8' }, json),
    madeWhenAsked({ path: '/openapi.json', mediaType: 'application/json; charset=utf-8' }, json),
    madeWhenAsked({ path: '/openapi.yaml', mediaType: 'application/yaml; charset=utf-8' }, yaml),
  ];
}
