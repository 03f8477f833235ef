import { Item, JsonText, type Members } from './resource.ts';

/** How a resource is written: with linked-data keys (JSON-LD) or without. */
export type Flavour = 'linked' | 'plain';

/** The JSON text of an answer; an item at the top also names its context when it is linked. */
export const writeJson = (value: unknown, flavour: Flavour): string =>
  value instanceof Item && flavour === 'linked'
    ? write({ '@context': contextIri(value.type), ...linkedMembers(value) }, flavour)
    : write(value, flavour);

export const contextIri = (type: string): string => `/api/contexts/${type}`;

const linkedMembers = ({ iri, type, members }: Item): Members => ({ '@id': iri, '@type': type, ...members });

function write(value: unknown, flavour: Flavour): string {
  if (value instanceof JsonText) return value.text;
  if (value instanceof Item) return writeMembers(flavour === 'linked' ? linkedMembers(value) : value.members, flavour);
  if (Array.isArray(value)) return `[${value.map((entry) => write(entry, flavour)).join(',')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    return writeMembers(value as Members, flavour);
  }
  return JSON.stringify(value);
}

function writeMembers(members: Members, flavour: Flavour): string {
  const written = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${write(value, flavour)}`],
  );
  return `{${written.join(',')}}`;
}
