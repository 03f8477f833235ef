import { createHash } from 'node:crypto';
import type { Version } from '@zonewright/core';
import type { Flavour } from '../resources/json-writer.ts';
import { Collection, Item } from '../resources/resource.ts';

/** The version of what is answered. Absent where an item has none: nothing can be said about the whole then. */
export function versionOf(body: unknown): Version | undefined {
  if (body instanceof Item) return body.version;
  return body instanceof Collection ? (body.version ?? versionOfItems(body)) : undefined;
}

/** Which variant of its version is answered; undefined: the only one, or the usual one. */
export const variantOf = (body: unknown): string | undefined => (body instanceof Item ? body.variant : undefined);

/** A page shows its items and, in links and total, how many there are: everything else is in the address. */
function versionOfItems({ items, totalItems }: Collection): Version | undefined {
  if (items.some(({ version }) => version === undefined)) return undefined;
  const shown = [totalItems, ...items.map(({ iri, version }) => [iri, version])];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

/**
 * The strong entity tag of one representation (RFC 9110 section 8.8.3): the version of the resource, the variant of it that
 * is shown, and the flavour it is written in.
 */
export const entityTag = (version: Version, flavour: Flavour, variant?: string): string =>
  `"${[version, ...(variant === undefined ? [] : [variant]), ...(flavour === 'linked' ? ['ld'] : [])].join(';')}"`;

/** The tag of the same representation when it is sent compressed: another strong one (RFC 9110 section 8.8.3.3). */
export const compressedTag = (tag: string): string => tag.replace(/"$/, ';gz"');

/** The tag without what is said about the transfer: that it was compressed here, or by a proxy, which weakens tags. */
export const transferredTag = (tag: string): string => tag.replace(/^W\//, '').replace(/;gz"$/, '"');

/** The version that a tag names, in whichever variant and flavour it was read. */
export const versionNamed = (tag: string): Version | undefined =>
  /^"([^";]*)(?:;u[0-9a-f]{8})?(?:;ld)?"$/.exec(transferredTag(tag))?.[1];
