import { environmentTags, type ZoneSort, zoneSortKeys } from '@zonewright/core';
import { type Statement, statementFile } from '../connection/statement.ts';

/** What decides which statement lists zones; values are parameters. */
export interface ZoneListShape {
  readonly sort: readonly ZoneSort[];
  readonly byTag: boolean;
  readonly bySearch: boolean;
  /** At most one zone has a host name, so neither order nor further criteria need an index. */
  readonly byHostName: boolean;
}

const directions = { asc: 'ascending', desc: 'descending' } as const;
const names = [
  'by-hostname',
  'by-id',
  'by-id-per-tag',
  'matching-by-id',
  'matching-by-several-keys',
  ...zoneSortKeys.flatMap((key) =>
    Object.values(directions).flatMap((direction) => {
      const name = `by-${key}-${direction}`;
      const all = [`${name}-per-tag`, `matching-${name}`];
      if (key === 'tag') return all;
      return key === 'name' ? [...all, `${name}-and-more`, name] : [...all, `${name}-and-more`];
    }),
  ),
];
const statements: ReadonlyMap<string, Statement> = new Map(
  names.map((name) => [name, statementFile(`zones/zones/list/${name}.sql`)]),
);

/**
 * The statement that lists zones. Within an organization, zones are indexed by name and id; for other sort keys, and
 * with tags, the index of each tag is read, so that no zones with other tags are skipped.
 */
export function zoneListStatement(shape: ZoneListShape): Statement {
  const name = nameFor(shape);
  const statement = statements.get(name);
  if (statement === undefined) throw new Error(`There is no statement ${name}.`);
  return statement;
}

function nameFor({ sort, byTag, bySearch, byHostName }: ZoneListShape): string {
  if (byHostName) return 'by-hostname';
  const [only, more] = sort;
  if (more !== undefined) return bySearch ? 'matching-by-several-keys' : `${orderName(indexedKey(sort))}-and-more`;
  const name = orderName(only);
  if (bySearch) return `matching-${name}`;
  return byTag || (only !== undefined && only.key !== 'name') ? `${name}-per-tag` : name;
}

const orderName = (sort: ZoneSort | undefined): string =>
  sort === undefined ? 'by-id' : `by-${sort.key}-${directions[sort.direction]}`;

/** The key whose order the index of a tag has: its zones are equal by tag. */
const indexedKey = (sort: readonly ZoneSort[]): ZoneSort | undefined => sort.find(({ key }) => key !== 'tag');

/** Parameters for the sort keys, in order: the number of each, and 1 or -1. */
export const sortValues = (sort: readonly ZoneSort[]) => ({
  keys: sort.map(({ key }) => zoneSortKeys.indexOf(key) + 1),
  directions: sort.map(({ direction }) => (direction === 'asc' ? 1 : -1)),
});

/** Without tags the filter accepts all. */
export const wantedTags = (tags: readonly string[]): readonly string[] =>
  tags.length === 0 ? environmentTags : [...new Set(tags)];
