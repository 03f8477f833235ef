import { environmentTags, type PlausibleCredential, type ZoneSort } from '@zonewright/core';
import { type CallerKind, listPartsFor } from './callers.ts';
import { filled, type Statement, statement, statementText } from './statement.ts';

/** What the text of the zone list statement depends on; values are parameters. */
export interface ZoneListShape {
  /** The caller's credential kind; `known` lists zones of given organizations. */
  readonly caller: CallerKind;
  readonly sort: readonly ZoneSort[];
  readonly byTag: boolean;
  readonly bySearch: boolean;
  readonly byOrganization: boolean;
}

const columns = { name: 'name_key', tag: 'tag', createdAt: 'created_at', updatedAt: 'updated_at' } as const;
const directions = { asc: 'ASC', desc: 'DESC' } as const;

const listText = statementText('zones/list.sql');
const orderedText = statementText('zones/ordered.sql');
const matchingText = statementText('zones/matching.sql');
const totalText = statementText('zones/total.sql');
const earlierText = statementText('zones/earlier.sql').trim();
const lists = new Map<string, Statement>();

/** Short, because statement names are limited to 63 bytes: `c-` means latest created first. */
const sortName = ({ key, direction }: ZoneSort): string => `${key[0]}${direction === 'asc' ? '+' : '-'}`;

/** The statement that lists zones; sort order and filters come only from the fixed texts above. */
export function zoneList(shape: ZoneListShape): Statement {
  const { caller, sort, byTag, bySearch, byOrganization } = shape;
  const flags = [byTag && 'tagged', bySearch && 'searched', byOrganization && 'named'].filter((flag) => flag !== false);
  const name = ['zones/list', caller, ...(sort.length === 0 ? [] : [sort.map(sortName).join('')]), ...flags].join(' ');
  const known = lists.get(name);
  if (known !== undefined) return known;
  const made = statement(name, listTextOf(shape));
  lists.set(name, made);
  return made;
}

function listTextOf({ caller, sort, byTag, bySearch, byOrganization }: ZoneListShape): string {
  const keys = [...new Set([...sort.map(({ key }) => columns[key]), 'id'])].join(', ');
  const { ctes, callerColumns } = caller === 'known' ? known : ownParts(caller, byOrganization);
  const matching = filled(matchingText, { keys, tagged: byTag ? 'AND tag = ANY (${tags})' : '' });
  const total = filled(totalText, { tagged: byTag ? 'WHERE t.tag = ANY (${tags})' : '' });
  return filled(listText, {
    ctes: bySearch ? `${ctes}, matching AS MATERIALIZED (\n  ${matching}\n)` : ctes,
    page: bySearch ? 'SELECT * FROM matching' : orderedPage(sort, byTag, keys),
    total: bySearch ? 'SELECT count(*)::integer FROM matching' : total,
    order: ordered(sort),
    places: ordered(sort, 'page.'),
    callerColumns,
  });
}

const known = {
  ctes: `caller AS (SELECT), own AS MATERIALIZED (SELECT unnest(\${organizations}::integer[]) AS organization),
earlier AS (SELECT false AS is_current)`,
  callerColumns: '',
} as const;

/**
 * For a credential, the statement also finds whether an earlier page is current, or on what the new one is based; null
 * in a transaction that has written, which may write again under the same mark.
 */
function ownParts(caller: PlausibleCredential['kind'], byOrganization: boolean) {
  const { ctes, callerColumns, shownMemberships } = listPartsFor(caller, { byOrganization });
  const isNew = 'NOT earlier.is_current';
  return {
    ctes: `${ctes}, earlier AS MATERIALIZED (\n  ${earlierText}\n)`,
    callerColumns: `${callerColumns},
  CASE WHEN ${isNew} AND pg_current_xact_id_if_assigned() IS NULL THEN basis END AS "basis",
  CASE WHEN ${isNew} THEN (${shownMemberships}) END AS "memberships"`,
  };
}

/**
 * Within an organization, zones are indexed by name and id. Other sort orders, and lists with tags, merge the indexes
 * of each tag, so that no zones with other tags are skipped.
 */
function orderedPage(sort: readonly ZoneSort[], byTag: boolean, keys: string): string {
  const [first] = sort;
  const isPerTag = byTag || (first !== undefined && first.key !== 'name');
  return filled(orderedText, {
    keys,
    wanted: isPerTag ? 'CROSS JOIN unnest(${tags}::text[]) AS wanted (tag)' : '',
    tag: isPerTag ? ', wanted.tag' : '',
    tagged: isPerTag ? 'AND zones.tag = wanted.tag' : '',
    again: isPerTag ? 'AND zones.tag = own.tag' : '',
    firsts: ordered(sort, 'first.'),
    inner: ordered(isPerTag ? sort.filter(({ key }) => key !== 'tag') : sort),
  });
}

const ordered = (sort: readonly ZoneSort[], of = ''): string =>
  [...sort.map(({ key, direction }) => `${of}${columns[key]} ${directions[direction]}`), `${of}id`].join(', ');

/** Without tags the filter accepts all. */
export const wantedTags = (tags: readonly string[]): readonly string[] =>
  tags.length === 0 ? environmentTags : [...new Set(tags)];
