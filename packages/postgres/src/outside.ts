import {
  type BackendId,
  type BackendKind,
  type BackendOrigin,
  backendKind,
  type FoundOutside,
  nameKey,
  type Outside,
  type Zone,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { many } from './query.ts';
import { sql } from './sql.ts';

/** An origin server behind a backend; without one for a load balancer that has none. */
interface BackendRow {
  readonly kind: BackendKind;
  readonly id: BackendId;
  readonly revision: number;
  readonly originServer: BackendId | null;
  readonly originRevision: number | null;
  readonly addressKey: string | null;
  readonly enabled: boolean | null;
}

/** The zone that has the name and tag that were asked for. */
interface NamesakeRow {
  readonly kind: 'zone';
}

/** What a change of the zone names outside of it, as it is at the moment. */
export function foundOutside(
  on: Connection,
  { id, organizationId: organization }: Pick<Zone, 'id' | 'organizationId'>,
  { backends, names }: Outside,
): ResultAsync<FoundOutside, never> {
  const idsOf = (kind: BackendKind) => backends.filter((each) => backendKind(each) === kind).map((each) => each.id);
  return many<BackendRow | NamesakeRow>(on, sql.zoneChanges.outside, {
    organization,
    originServers: idsOf('origin_server'),
    loadBalancers: idsOf('load_balancer'),
    zone: id,
    nameKey: names === undefined ? null : nameKey(names.name),
    tag: names?.tag ?? null,
  }).map((rows) => {
    const behind = rows.filter((row) => row.kind !== 'zone');
    return { ...foundIn(behind), isNameTaken: behind.length < rows.length };
  });
}

function foundIn(rows: readonly BackendRow[]): Pick<FoundOutside, 'backends' | 'versions'> {
  const origins = {
    origin_server: new Map<BackendId, BackendOrigin[]>(),
    load_balancer: new Map<BackendId, BackendOrigin[]>(),
  };
  const versions = rows.flatMap(({ kind, id, revision, originServer, originRevision, addressKey, enabled }) => {
    const behind = origins[kind].get(id) ?? [];
    origins[kind].set(id, behind);
    if (addressKey !== null) behind.push({ addressKey, enabled: enabled ?? false });
    const own = { kind, id, revision };
    if (originServer === null || originRevision === null) return [own];
    return [own, { kind: 'origin_server' as const, id: originServer, revision: originRevision }];
  });
  return {
    backends: origins,
    versions: [...new Map(versions.map((each) => [`${each.kind} ${each.id}`, each])).values()],
  };
}
