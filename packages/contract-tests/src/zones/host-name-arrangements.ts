import { ZoneDraft, type ZoneId } from '@zonewright/core';
import type { Owner } from '../arrangements/index.ts';
import { unique } from '../builders/index.ts';
import { casesOn } from '../fakes.ts';
import { okOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';

/** A zone with host names that a domain covers. */
export const created = (
  storage: Storage,
  { caller, organizationId }: Owner,
  ...hostnames: string[]
): ReturnType<ReturnType<typeof casesOn>['createZone']> =>
  casesOn(storage).createZone(
    caller,
    ZoneDraft.parse({ name: `zone ${unique()}`, organization: organizationId, hostnames }),
  );

/** A zone with other host names. */
export const patched = (storage: Storage, { caller }: Owner, id: ZoneId, hostnames: string[]) =>
  casesOn(storage).updateZone(caller, id, { hostnames }, undefined);

/** The zone as stored. */
export const readZone = (storage: Storage, id: ZoneId) =>
  readView(storage, ({ zones }) => zones.state(id)).then(({ zone }) => zone);

/** The id of a new zone with host names. */
export const storedZoneId = async (storage: Storage, owner: Owner, ...names: string[]) =>
  (await okOf(created(storage, owner, ...names))).id;
