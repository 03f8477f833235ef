import {
  type BasicAuthUser,
  type ComparableSecretBox,
  type PlausibleCredential,
  type ProviderId,
  type Role,
  type Rule,
  type RuleContents,
  type RuleKind,
  ruleKindNames,
  type SecretBox,
  storedDocument,
  type UserId,
  type Zone,
  type ZoneId,
  type ZoneNotFound,
  type ZoneState,
  zoneNotFound,
} from '@zonewright/core';
import { err, ok, okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { anyTextBytes, type Reserve, reserved, shortTextBytes } from '../connection/long-texts.ts';
import { many } from '../connection/query.ts';
import { credentialValues } from '../session/callers.ts';
import { sql } from '../sql.ts';
import type { CachedState, ZoneCache } from './zone-cache.ts';
import { type ZoneRow, zoneOf } from './zone-row.ts';

/** The zone's row with the caller's membership; without content, lists and users if the state is cached. */
export interface OwnRow extends Omit<ZoneRow, 'settings'> {
  readonly kind: null;
  readonly content: string | null;
  /** Null if there is no such zone. */
  readonly version: string | null;
  /** Of the texts in the contents; null if the state is cached. */
  readonly bytes: number | null;
  /** The caller's id, if read by credential. */
  readonly userId?: UserId;
  readonly replayBytes: number;
  readonly role: Role | null;
  readonly needsTwoFactor: boolean | null;
  readonly requiredProvider: ProviderId | null;
  readonly organizationRevision: number;
  /** The organization's own limits; null for none. */
  readonly ownLimits: string | null;
  readonly listRevisions: Partial<ZoneState['listRevisions']> | null;
  readonly users: readonly UserRow[] | null;
}
/** Timestamps inside JSON are strings. */
type UserRow = Omit<BasicAuthUser, 'zoneId' | 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};
/** The row of a rule; the zone's own columns are null. */
export type NestedRow = Omit<Rule, 'zoneId' | 'order' | 'content'> & {
  readonly rank: number;
  readonly content: string;
  readonly [member: string]: unknown;
};

/** A zone's current state, and the caller's membership. */
export interface ReadState<Own extends OwnRow = OwnRow> {
  /** Undefined if there is no such zone, or if the reader is not a member. */
  readonly state: ZoneState | undefined;
  readonly own: Own;
}

/** Who reads a zone: a known user, if any, or the holder of a credential. */
type Reader = PlausibleCredential | { readonly kind: 'known'; readonly userId: UserId | null };

/** Parsed texts also exist as a tree, and partly as response text. */
const bytesPerCharacter = 3;
const bytesPerItem = 1000;

/** Caches a state; it is used only when the database confirms that it is current. */
export function remember({ states }: ZoneCache, entry: CachedState): void {
  const { zone, rules, users } = entry.state;
  const texts = ruleKindNames.flatMap((kind) => rules[kind].map(({ content }) => content.text.length));
  const characters = texts.reduce((sum, length) => sum + length, zone.settings.text.length);
  const items = 1 + texts.length + users.length;
  states.set(zone.id, entry, characters * bytesPerCharacter + items * bytesPerItem);
}

/** Where states are read, remembered and decrypted. */
export interface StateSources {
  readonly on: Connection;
  readonly cache: ZoneCache;
  readonly banTokens: ComparableSecretBox;
  /** Waits for the memory that long texts take for the user who reads them; undefined in transactions. */
  readonly reserveFor?: ((user: UserId | undefined) => Reserve) | undefined;
}

/**
 * Reads a zone with nested objects, from the cache if it is current. Undefined if the credential is not live. A large
 * zone is measured first, and read when there is memory for it.
 */
export const readStateFor = <Own extends OwnRow = OwnRow>(
  sources: StateSources,
  id: ZoneId,
  reader: Reader,
): ResultAsync<ReadState<Own> | undefined, never> =>
  readStateUpTo<Own>(sources, id, reader, sources.reserveFor === undefined ? anyTextBytes : shortTextBytes);

function readStateUpTo<Own extends OwnRow>(
  sources: StateSources,
  id: ZoneId,
  reader: Reader,
  maxBytes: number,
): ResultAsync<ReadState<Own> | undefined, never> {
  const { on, cache, banTokens, reserveFor } = sources;
  const entry = cache.states.get(id);
  const values = { zone: id, known: entry?.version ?? '', maxBytes };
  const [statement, reading] =
    reader.kind === 'known'
      ? [sql.zones.wholeById, { ...values, userId: reader.userId }]
      : [sql.zones.whole, { ...values, ...credentialValues(reader) }];
  return many<Own | NestedRow>(on, statement, reading).andThen((rows) => {
    const own = rows.find(isOwn);
    if (own === undefined) return okAsync(undefined);
    const isOutsider = own.role === null && !(reader.kind === 'known' && reader.userId === null);
    if (own.version === null || isOutsider) return okAsync({ own, state: undefined });
    if (own.content !== null) {
      const state = stateOf(banTokens, own, own.content, rows.filter(isNested));
      remember(cache, { version: own.version, state });
      return okAsync({ own, state });
    }
    if (own.bytes !== null)
      return reserved(reserveFor?.(own.userId), own.bytes).andThen(() =>
        readStateUpTo<Own>(sources, id, reader, anyTextBytes),
      );
    if (entry === undefined) throw new Error('The statement omitted the contents of an uncached state.');
    return okAsync({ own, state: entry.state });
  });
}

/** A zone with nested objects for any caller, with its row. */
export const readOwnState = (
  sources: StateSources,
  id: ZoneId,
): ResultAsync<{ readonly state: ZoneState; readonly own: OwnRow }, ZoneNotFound> =>
  readStateFor(sources, id, { kind: 'known', userId: null }).andThen((read) =>
    read?.state === undefined ? err(zoneNotFound()) : ok({ state: read.state, own: read.own }),
  );

/** A zone with nested objects, for any caller. */
export const readState = (sources: StateSources, id: ZoneId): ResultAsync<ZoneState, ZoneNotFound> =>
  readOwnState(sources, id).map(({ state }) => state);

/** The columns of a zone that its state consists of. */
export type StateRow = Omit<ZoneRow, 'settings'> & Pick<OwnRow, 'kind' | 'content' | 'listRevisions' | 'users'>;

const isOwn = <Own extends StateRow>(row: Own | NestedRow): row is Own => row.kind === null;
const isNested = (row: StateRow | NestedRow): row is NestedRow => !isOwn(row);

/** The state in rows that have all texts; undefined if the zone is not among them. */
export function stateIn(box: SecretBox, rows: readonly (StateRow | NestedRow)[]): ZoneState | undefined {
  const own = rows.find(isOwn);
  return own === undefined || own.content === null ? undefined : stateOf(box, own, own.content, rows.filter(isNested));
}

function stateOf(box: SecretBox, own: StateRow, settings: string, rows: readonly NestedRow[]): ZoneState {
  const { id } = own;
  const inOrder = rows.toSorted((one, other) => one.rank - other.rank);
  const rowsOf = (kind: RuleKind) => inOrder.filter((row) => row.kind === kind);
  const rules = <K extends RuleKind>(kind: K) => rowsOf(kind).map((row, index) => ruleOf(row, id, kind, index + 1));
  const ranks = (kind: RuleKind) => rowsOf(kind).map(({ rank }) => rank);
  return {
    zone: ownZone(box, own, settings),
    rules: {
      configurationRule: rules('configurationRule'),
      rewriteRule: rules('rewriteRule'),
      accessRule: rules('accessRule'),
      securityScenario: rules('securityScenario'),
    },
    ranks: {
      configurationRule: ranks('configurationRule'),
      rewriteRule: ranks('rewriteRule'),
      accessRule: ranks('accessRule'),
      securityScenario: ranks('securityScenario'),
    },
    listRevisions: { ...noLists, ...own.listRevisions },
    users: (own.users ?? []).map((user) => ({
      ...user,
      zoneId: id,
      createdAt: new Date(user.createdAt),
      updatedAt: new Date(user.updatedAt),
    })),
  };
}

/** Members are listed, because the row has others. */
const ownZone = (box: SecretBox, own: StateRow, settings: string): Zone => {
  const { id, organizationId, name, tag, hostnames, banToken, createdBy, createdAt, updatedAt, revision } = own;
  const times = { createdAt, updatedAt, revision };
  return zoneOf(box, { id, organizationId, name, tag, hostnames, banToken, createdBy, ...times, settings });
};

const noLists = { configurationRule: 0, rewriteRule: 0, accessRule: 0, securityScenario: 0 } as const;

const ruleOf = <K extends RuleKind>(
  { id, content, createdAt, updatedAt, revision }: NestedRow,
  zoneId: ZoneId,
  kind: K,
  order: number,
): Rule<K> => ({
  id,
  zoneId,
  kind,
  order,
  content: storedDocument<RuleContents[K]>(content),
  createdAt,
  updatedAt,
  revision,
});
