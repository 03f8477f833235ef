import {
  type ComparableSecretBox,
  type PlausibleCredential,
  type ProviderId,
  type Role,
  ruleKindNames,
  type UserId,
  type ZoneId,
  type ZoneNotFound,
  type ZoneState,
  zoneNotFound,
} from '@zonewright/core';
import { err, ok, okAsync, type ResultAsync } from 'neverthrow';
import { type CallerRow, credentialValues } from '../accounts/callers.ts';
import type { Connection } from '../connection/database.ts';
import { anyTextBytes, type Reserve, reserved, shortTextBytes } from '../connection/long-texts.ts';
import { many } from '../connection/query.ts';
import type { Statement } from '../connection/statement.ts';
import { sql } from '../sql.ts';
import type { CachedState, ZoneCache } from './zone-cache.ts';
import { isNested, isOwn, type NestedRow, type StateRow, stateOf } from './zone-state-rows.ts';

/** The zone's row with the caller's membership. */
export interface OwnRow extends StateRow {
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
}

/** A zone's current state, and the caller's membership. */
export interface ReadState<Own extends OwnRow = OwnRow> {
  /** Undefined if there is no such zone, or if the reader is not a member. */
  readonly state: ZoneState | undefined;
  readonly own: Own;
}

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

/** How a zone is asked for. */
interface Asking {
  readonly statement: Statement;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the contents are shown only to members. */
  readonly isForMembers: boolean;
}

/** A zone with nested objects as its caller may see it; undefined if the credential is not live. */
export const readStateOfCaller = (
  sources: StateSources,
  id: ZoneId,
  credential: PlausibleCredential,
): ResultAsync<ReadState<OwnRow & CallerRow> | undefined, never> =>
  read(sources, id, { statement: sql.zones.whole, values: credentialValues(credential), isForMembers: true });

/** A zone with nested objects as a user may see it. */
export const readStateOfUser = (
  sources: StateSources,
  id: ZoneId,
  userId: UserId,
): ResultAsync<ReadState | undefined, never> =>
  read(sources, id, { statement: sql.zones.wholeById, values: { userId }, isForMembers: true });

/** A zone with nested objects for any caller, with its row. */
export const readOwnState = (
  sources: StateSources,
  id: ZoneId,
): ResultAsync<{ readonly state: ZoneState; readonly own: OwnRow }, ZoneNotFound> =>
  read(sources, id, { statement: sql.zones.wholeById, values: { userId: null }, isForMembers: false }).andThen(
    (found) => (found?.state === undefined ? err(zoneNotFound()) : ok({ state: found.state, own: found.own })),
  );

/** A zone with nested objects, for any caller. */
export const readState = (sources: StateSources, id: ZoneId): ResultAsync<ZoneState, ZoneNotFound> =>
  readOwnState(sources, id).map(({ state }) => state);

/** Reads a zone, from the cache if it is current. A large one is measured first, and read when there is memory for it. */
const read = <Own extends OwnRow>(
  sources: StateSources,
  id: ZoneId,
  asking: Asking,
): ResultAsync<ReadState<Own> | undefined, never> =>
  readUpTo(sources, id, asking, sources.reserveFor === undefined ? anyTextBytes : shortTextBytes);

function readUpTo<Own extends OwnRow>(
  sources: StateSources,
  id: ZoneId,
  asking: Asking,
  maxBytes: number,
): ResultAsync<ReadState<Own> | undefined, never> {
  const { on, cache, banTokens, reserveFor } = sources;
  const cached = cache.states.get(id);
  const values = { ...asking.values, zone: id, known: cached?.version ?? '', maxBytes };
  return many<Own | NestedRow>(on, asking.statement, values).andThen((rows) => {
    const own = rows.find(isOwn);
    if (own === undefined) return okAsync(undefined);
    const contents = contentsIn(own, asking);
    switch (contents.are) {
      case 'hidden':
        return okAsync({ own, state: undefined });
      case 'cached':
        if (cached === undefined) throw new Error('The statement omitted the contents of an uncached state.');
        return okAsync({ own, state: cached.state });
      case 'read': {
        const state = stateOf(banTokens, own, contents.settings, rows.filter(isNested));
        remember(cache, { version: contents.version, state });
        return okAsync({ own, state });
      }
      case 'too long':
        return reserved(reserveFor?.(own.userId), contents.bytes).andThen(() =>
          readUpTo<Own>(sources, id, asking, anyTextBytes),
        );
    }
  });
}

type Contents =
  /** There is no such zone, or the reader is not a member. */
  | { readonly are: 'hidden' }
  /** The version is the cached one. */
  | { readonly are: 'cached' }
  | { readonly are: 'read'; readonly version: string; readonly settings: string }
  /** The texts are longer than asked for. */
  | { readonly are: 'too long'; readonly bytes: number };

/** What the statement says of a zone's contents, and why it omits them. */
function contentsIn({ version, role, content, bytes }: OwnRow, { isForMembers }: Asking): Contents {
  if (version === null || (isForMembers && role === null)) return { are: 'hidden' };
  if (content !== null) return { are: 'read', version, settings: content };
  return bytes === null ? { are: 'cached' } : { are: 'too long', bytes };
}
