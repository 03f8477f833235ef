import { contextIri } from '@zonewright/api-description';
import { memoized } from '@zonewright/core';
import { Item, JsonMembers, JsonText, type Members, Part } from './resource.ts';

/** Whether a resource is written with JSON-LD keys. */
export type Flavour = 'linked' | 'plain';

/** Serializes a response body; the top-level item also names its context when linked. */
export const writeJson = (value: unknown, flavour: Flavour): string =>
  value instanceof Item && flavour === 'linked' ? writeLinked(value) : write(value, flavour);

/** JSON texts of cached items. */
const plain = memoized((item: Item): string => writeMembers(item.members, 'plain'));
const linked = memoized((item: Item): string => writeMembers(linkedMembers(item), 'linked'));

const writeItem = (item: Item, flavour: Flavour): string => {
  if (item.isCacheable) return flavour === 'linked' ? linked(item) : plain(item);
  return writeMembers(flavour === 'linked' ? linkedMembers(item) : item.members, flavour);
};

/** Writes a top-level item: the context comes first. */
const writeLinked = (item: Item): string =>
  `{"@context":${JSON.stringify(contextIri(item.type))},${writeItem(item, 'linked').slice(1)}`;

const writePart = ({ type, members }: Part, flavour: Flavour): string =>
  writeMembers(flavour === 'linked' ? { '@type': type, ...members } : members, flavour);

const linkedMembers = ({ iri, type, members }: Item): Members => ({ '@id': iri, '@type': type, ...members });

/** Checks the most frequent kinds of values first: primitives, then stored JSON text. */
function write(value: unknown, flavour: Flavour): string {
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value);
  if (value instanceof JsonText) return value.text;
  if (value instanceof Item) return writeItem(value, flavour);
  if (value instanceof Part) return writePart(value, flavour);
  if (Array.isArray(value)) return `[${value.map((entry) => write(entry, flavour)).join(',')}]`;
  // Only plain objects are left.
  return writeMembers(value as Members, flavour);
}

function writeMembers(members: Members, flavour: Flavour): string {
  let written = '';
  for (const name of Object.keys(members)) {
    const member = writeMember(name, members[name], flavour);
    if (member !== '') written += `${written === '' ? '' : ','}${member}`;
  }
  return `{${written}}`;
}

function writeMember(name: string, value: unknown, flavour: Flavour): string {
  if (value === undefined) return '';
  if (value instanceof JsonMembers) return value.text.slice(1, -1);
  return `${JSON.stringify(name)}:${write(value, flavour)}`;
}
