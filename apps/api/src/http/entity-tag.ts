import { createHash } from 'node:crypto';
import type { ExpectedVersions, Version } from '@zonewright/core';
import type { Flavour } from '../resources/json-writer.ts';
import { Collection, Item } from '../resources/resource.ts';

/** The version of what is answered. Absent where an item has none: nothing can be said about the whole then. */
export function versionOf(body: unknown): Version | undefined {
  if (body instanceof Item) return body.version;
  return body instanceof Collection ? (body.version ?? versionOfItems(body)) : undefined;
}

/** A page shows its items and, in links and total, how many there are: everything else is in the address. */
function versionOfItems({ items, totalItems }: Collection): Version | undefined {
  if (items.some(({ version }) => version === undefined)) return undefined;
  const shown = [totalItems, ...items.map(({ iri, version }) => [iri, version])];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

/**
 * The strong entity tag of one representation (RFC 9110 section 8.8.3): the version of the resource, and the
 * flavour it is written in.
 */
export const entityTag = (version: Version, flavour: Flavour): string =>
  flavour === 'linked' ? `"${version};ld"` : `"${version}"`;

const listed = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** Whether `If-None-Match` names the representation (weak comparison, RFC 9110 section 13.1.2). */
export const isNotModified = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.trim() === '*' || listed(ifNoneMatch).some((each) => each.replace(/^W\//, '') === tag);

/** The versions `If-Match` accepts, in whichever flavour they were read; undefined when there is no such condition. */
export function expectedVersions(ifMatch: string): ExpectedVersions {
  if (ifMatch === '' || ifMatch.trim() === '*') return undefined;
  return listed(ifMatch).flatMap((tag) => {
    const [, version] = /^"([^";]*)(?:;ld)?"$/.exec(tag) ?? [];
    return version === undefined ? [] : [version];
  });
}
