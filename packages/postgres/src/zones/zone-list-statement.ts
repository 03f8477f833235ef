import {
  environmentTags,
  offsetOf,
  type PageRequest,
  searchKey,
  type ZoneFilter,
  type ZoneSort,
} from '@zonewright/core';
import { substringPattern } from '../connection/like-pattern.ts';
import { type Statement, statementFile } from '../connection/statement.ts';

/** What is listed, whichever organizations it belongs to. */
export type ZoneCriteria = Omit<ZoneFilter, 'organizations' | 'zones'>;

type Values = Readonly<Record<string, unknown>>;

/** A statement and its values, except those for the caller and the organizations. */
interface ZoneListStatement {
  readonly statement: Statement;
  readonly values: Values;
}

const byId = statementFile('zones/zones/list/by-id.sql');
const byName = statementFile('zones/zones/list/by-name.sql');
const byAnyKeys = statementFile('zones/zones/list/by-any-keys.sql');
const matching = statementFile('zones/zones/list/matching.sql');

/** The statement that lists zones: the most frequent orders have indexes of whole organizations, the others of each tag. */
export function zoneListStatement(
  criteria: ZoneCriteria,
  sort: readonly ZoneSort[],
  page: PageRequest,
): ZoneListStatement {
  const { tags, search, hostname } = criteria;
  const bounds = { limit: page.itemsPerPage, offset: offsetOf(page), tags: wantedTags(tags) };
  if (search !== undefined || hostname !== undefined) {
    const sortsByTime = sort.some(({ key }) => key === 'createdAt' || key === 'updatedAt');
    return { statement: matching, values: { ...bounds, ...sortValues(sort), ...searchValues(criteria), sortsByTime } };
  }
  const reach = { ...bounds, reach: bounds.limit + bounds.offset };
  const [first, ...more] = sort.map(nameOf);
  if (tags.length === 0 && more.length === 0) {
    if (first === undefined) return { statement: byId, values: reach };
    if (first === 'name asc') return { statement: byName, values: reach };
  }
  return { statement: byAnyKeys, values: { ...reach, ...sortValues(sort), index: indexFor(sort) } };
}

const nameOf = ({ key, direction }: ZoneSort) => `${key} ${direction}`;

/** The index of a tag that the statement reads: its zones are equal by tag. */
function indexFor(sort: readonly ZoneSort[]): string {
  const indexed = sort.find(({ key }) => key !== 'tag');
  return indexed === undefined ? 'id' : nameOf(indexed);
}

function sortValues(sort: readonly ZoneSort[]): Values {
  const [firstKey = null, secondKey = null, thirdKey = null, fourthKey = null] = sort.map(nameOf);
  return { firstKey, secondKey, thirdKey, fourthKey };
}

/** Without tags the filter accepts all. */
const wantedTags = (tags: readonly string[]): readonly string[] =>
  tags.length === 0 ? environmentTags : [...new Set(tags)];

/** The statement finds the text by its pairs of characters in names, or else compares it with all names and ids. */
function searchValues({ search = '', hostname }: ZoneCriteria): Values {
  const text = searchKey(search);
  const mayBeId = /^[\da-f-]*$/.test(text);
  const pairs = mayBeId || hostname !== undefined ? [] : pairsIn(text);
  return {
    hostname: hostname ?? null,
    pattern: substringPattern(text),
    mayBeId,
    pairs: pairs.length === 0 ? null : pairs,
  };
}

/** Successive characters as PostgreSQL counts them. */
function pairsIn(text: string): readonly string[] {
  const characters = Array.from(text);
  return [...new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`))];
}
