import { createHash } from 'node:crypto';
import type { Version } from '@zonewright/core';
import type { Flavour } from './json-writer.ts';
import { Collection, CompressedJson, Item, type Members } from './resource.ts';

/** The version of the response body. Undefined when an item has none, because then the whole cannot have one either. */
export function versionOf(body: unknown): Version | undefined {
  if (body instanceof Item || body instanceof CompressedJson) return body.version;
  return body instanceof Collection ? (body.version ?? versionOfItems(body)) : undefined;
}

/** The variant of the resource shown; undefined for the default one. */
export const variantOf = (body: unknown): string | undefined => (body instanceof Item ? body.variant : undefined);

/** A page shows its items and the total; everything else depends on the URL alone. */
function versionOfItems({ items, totalItems }: Collection): Version | undefined {
  if (items.some(({ version }) => version === undefined)) return undefined;
  const shown = [totalItems, ...items.map(({ iri, version }) => [iri, version])];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

/** The strong entity tag of one representation (RFC 9110 section 8.8.3): resource version, variant and flavour. */
export const entityTag = (version: Version, flavour: Flavour, variant?: string): string =>
  `"${[version, ...(variant === undefined ? [] : [variant]), ...(flavour === 'linked' ? ['ld'] : [])].join(';')}"`;

/** The compressed representation needs a strong tag of its own (RFC 9110 section 8.8.3.3). */
export const compressedTag = (tag: string): string => tag.replace(/"$/, ';gz"');

/** Removes what describes the transfer: our compression suffix, or the weak prefix added by a proxy that compressed. */
export const transferredTag = (tag: string): string => tag.replace(/^W\//, '').replace(/;gz"$/, '"');

/** The resource version in a tag, whatever variant and flavour the client read. */
export const versionNamed = (tag: string): Version | undefined =>
  /^"([^";]*)(?:;u[0-9a-f]{8})?(?:;ld)?"$/.exec(transferredTag(tag))?.[1];

/** A version derived from computed content: equal content has the same version, even after a restart. */
export const versionOfContent = (members: Members): string =>
  createHash('sha256').update(JSON.stringify(members)).digest('base64url');
