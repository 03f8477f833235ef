import {
  checkPageSize,
  maxPageTextBytes,
  type NamedState,
  type NamedStates,
  type OrganizationId,
  type OwnZones,
  offsetOf,
  type Page,
  type PageRequest,
  type PageTooLarge,
  searchKey,
  type Zone,
  type ZoneFilter,
  type ZoneId,
  type ZoneSort,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import { byAsker, type CallerRow, recognized } from './callers.ts';
import type { Connection } from './database.ts';
import { containing } from './like.ts';
import type { StoredLimits } from './limits.ts';
import type { OrganizationRow } from './organizations.ts';
import { many, one, type SizedRow } from './query.ts';
import { sql } from './sql.ts';
import { wantedTags, zoneList } from './zone-list-statement.ts';
import type { RememberedZone, ZoneMemory } from './zone-memory.ts';
import { type ZoneRow, zoneOf } from './zone-row.ts';
import { readState } from './zone-states.ts';

/** The states as one text: `id organization state`, parted by commas; null for an empty page. */
interface ListRow {
  readonly totalItems: number;
  readonly states: string | null;
}

/** Bytes for which a text counts: what is made of it for answers is kept with it, and is about as large. */
const bytesFor = (text: number): number => 2 * text + 1000;

/** A page of the zones of some organizations: which are on it is always asked, what they hold is remembered. */
export const zonePage = (
  on: Connection,
  memory: ZoneMemory,
  { organizations, ...filter }: ZoneFilter,
  sort: readonly ZoneSort[],
  page: PageRequest,
): ResultAsync<Page<Zone>, PageTooLarge> => {
  const statement = zoneList({ asker: 'known', sort, ...shapeOf(filter), byOrganization: false });
  return one<ListRow>(on, statement, { organizations, ...valuesOf(filter, page) })
    .map(statesOf)
    .andThen(({ states, totalItems }) => read(on, memory, states).map((items) => ({ items, totalItems })));
};

export const postgresOwnZones = (on: Connection, memory: ZoneMemory, limits: StoredLimits): OwnZones => ({
  states: (credential, { organization, roles, ...filter }, sort, page) => {
    const shape = { sort, ...shapeOf(filter), byOrganization: organization !== undefined };
    const statement = zoneList({ asker: credential.kind, ...shape });
    const values = { organization, roles, ...valuesOf(filter, page) };
    return recognized<ListRow & CallerRow>(on, statement, credential, values).map(({ caller, row }) => ({
      caller,
      found: statesOf(row),
    }));
  },
  read: (states) => read(on, memory, states),
  state: (credential, id) =>
    recognized<StateRow & CallerRow>(on, ownState[credential.kind], credential, { id }).map(({ caller, row }) => ({
      caller,
      found:
        row.id === null
          ? undefined
          : { id: row.id, organizationId: row.organizationId, state: row.state, limits: limits.with(row.ownLimits) },
    })),
  contents: ({ id, state }) => {
    const known = memory.states.get(id);
    return known?.name === state ? okAsync(known.state) : readState(on, memory, id);
  },
});

const ownState = byAsker('zones/state.sql', ['session', 'apiToken']);

type StateRow = (NamedState & Pick<OrganizationRow, 'ownLimits'>) | { readonly id: null };

type Criteria = Omit<ZoneFilter, 'organizations'>;

const shapeOf = ({ tags, search }: Criteria) => ({ byTag: tags.length > 0, bySearch: search !== undefined });

const valuesOf = ({ tags, search }: Criteria, page: PageRequest) => ({
  tags: wantedTags(tags),
  pattern: search === undefined ? '' : containing(searchKey(search)),
  limit: page.itemsPerPage,
  offset: offsetOf(page),
});

const statesOf = ({ states, totalItems }: ListRow): NamedStates => ({
  states: states === null ? [] : states.split(',').map(stateOf),
  totalItems,
});

function stateOf(text: string): NamedState {
  // The statement writes three parts with spaces between them.
  const [id, organization, state] = text.split(' ') as [ZoneId, string, string];
  // The second one is the id of an organization.
  return { id, organizationId: Number(organization) as OrganizationId, state };
}

type ReadRow = ZoneRow & SizedRow & { readonly state: string };

const nameOf = ({ id, state }: Pick<NamedState, 'id' | 'state'>): string => `${id} ${state}`;

/** Zones in the states that are named, those that are not known as they are now. */
function read(
  on: Connection,
  memory: ZoneMemory,
  states: readonly NamedState[],
): ResultAsync<readonly Zone[], PageTooLarge> {
  const known = new Map<ZoneId, RememberedZone>();
  for (const state of states) {
    const found = memory.zones.get(nameOf(state));
    if (found !== undefined) known.set(state.id, found);
  }
  const ids = states.map(({ id }) => id).filter((id) => !known.has(id));
  const found = ids.length === 0 ? okAsync([]) : many<ReadRow>(on, sql.zones.read, { ids, maxBytes: maxPageTextBytes });
  return found.andThen((rows) => {
    const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
    const present = states.filter(({ id }) => known.has(id) || sizes.has(id));
    return checkPageSize(present.map(({ id }) => known.get(id)?.bytes ?? sizes.get(id) ?? 0)).map(() => {
      for (const row of rows) known.set(row.id, rememberedZone(memory, row));
      return present.flatMap(({ id }) => known.get(id)?.zone ?? []);
    });
  });
}

function rememberedZone({ zones }: ZoneMemory, { bytes, state, ...row }: ReadRow): RememberedZone {
  const made = { zone: zoneOf(row), bytes };
  zones.set(nameOf({ id: row.id, state }), made, bytesFor(bytes));
  return made;
}
