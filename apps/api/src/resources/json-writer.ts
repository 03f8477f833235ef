import { oncePer } from '@zonewright/core';
import { Item, JsonMembers, JsonText, type Members, Part } from './resource.ts';

/** How a resource is written: with linked-data keys (JSON-LD) or without. */
export type Flavour = 'linked' | 'plain';

/** The JSON text of an answer; an item at the top also names its context when it is linked. */
export const writeJson = (value: unknown, flavour: Flavour): string =>
  value instanceof Item && flavour === 'linked' ? writeLinked(value) : write(value, flavour);

/** Where the JSON-LD context of a type is served; the same on every host. */
export const contextIri = (type: string): string => `/api/contexts/${type}`;

/** Texts of items that are kept. */
const plain = oncePer((item: Item): string => writeMembers(item.members, 'plain'));
const linked = oncePer((item: Item): string => writeMembers(linkedMembers(item), 'linked'));

const writeItem = (item: Item, flavour: Flavour): string => {
  if (item.isKept) return flavour === 'linked' ? linked(item) : plain(item);
  return writeMembers(flavour === 'linked' ? linkedMembers(item) : item.members, flavour);
};

/** An item at the top: its context comes before its other members. */
const writeLinked = (item: Item): string =>
  `{"@context":${JSON.stringify(contextIri(item.type))},${writeItem(item, 'linked').slice(1)}`;

const writePart = ({ type, members }: Part, flavour: Flavour): string =>
  writeMembers(flavour === 'linked' ? { '@type': type, ...members } : members, flavour);

const linkedMembers = ({ iri, type, members }: Item): Members => ({ '@id': iri, '@type': type, ...members });

/** Most values are primitive and most of the rest is stored text: these come first. */
function write(value: unknown, flavour: Flavour): string {
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value);
  if (value instanceof JsonText) return value.text;
  if (value instanceof Item) return writeItem(value, flavour);
  if (value instanceof Part) return writePart(value, flavour);
  if (Array.isArray(value)) return `[${value.map((entry) => write(entry, flavour)).join(',')}]`;
  // All that is left are plain objects.
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
