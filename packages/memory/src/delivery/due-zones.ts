import type { DueZone, DueZones, OrganizationId, PublishingRound, ZoneId } from '@zonewright/core';
import type { Tables, Unit } from '../tables/tables.ts';

/** Whether anything but publishing was committed since the last look, or is still due. */
export const isDue = (unit: Unit): boolean =>
  hasChanged(unit) || waiting(unit.tables, changedAt(unit.tables)).length > 0;

/** Which commit has changed what is not known: after each, every zone may have changed. */
const hasChanged = ({ tables: { feedMarks }, commit }: Unit): boolean => (feedMarks.get('seen') ?? 0) < commit - 1;

const changedAt = ({ feedMarks }: Tables): number => feedMarks.get('changed') ?? 0;

/** Zones that have not been looked at since the commit, those first that have waited for longest. */
function waiting({ zones, edgeZones, feedMarks }: Tables, commit: number): readonly ZoneId[] {
  const published = [...edgeZones.values()].filter(({ stage }) => stage === 'canary').map(({ id }) => id);
  const lookedAt = (id: ZoneId) => feedMarks.get(id) ?? 0;
  return [...new Set([...zones.keys(), ...published])]
    .filter((id) => lookedAt(id) < commit)
    .toSorted((one, other) => lookedAt(one) - lookedAt(other));
}

/** Zones to publish now; notes that this unit, which is a commit too, changes none. */
export function dueZones(unit: Unit, named: number, { latest, turn }: PublishingRound): DueZones {
  const { tables, commit } = unit;
  if (hasChanged(unit)) tables.feedMarks.set('changed', commit - 1);
  tables.feedMarks.set('seen', commit);
  const changed = changedAt(tables);
  const zones = inTurns(
    waiting(tables, changed).map((id) => dueZone(tables, id)),
    named,
    turn,
  );
  return {
    zones,
    marks: zones.map(({ id }) => id),
    round: { latest: latest ?? String(changed), turn: zones.at(-1)?.organizationId ?? turn },
  };
}

/** Notes that zones have been looked at; resolves to whether some of the round have not. */
export function lookedAt({ tables }: Unit, { marks, round }: Omit<DueZones, 'zones'>): boolean {
  const changed = changedAt(tables);
  // Marks are ids of zones.
  for (const id of marks) tables.feedMarks.set(id as ZoneId, changed);
  return waiting(tables, Number(round.latest ?? 0)).length > 0;
}

function dueZone({ zones, edgeZones }: Tables, id: ZoneId): DueZone {
  const [zone, row] = [zones.get(id), edgeZones.get(`${id} canary`)];
  return {
    id,
    isNamed: (zone?.hostnames.length ?? 0) > 0,
    digest: row?.document?.digest,
    tag: row?.tag,
    organizationId: row?.organizationId ?? zone?.organizationId,
  };
}

/** Of each organization in turn one zone with host names, with those without before it; in all, so many with host names. */
function inTurns(due: readonly DueZone[], named: number, last: number): readonly DueZone[] {
  const owners = [...new Set(due.map(({ organizationId }) => organizationId ?? 0))].toSorted(
    (one, other) => one - other,
  );
  const order = [...owners.filter((owner) => owner > last), ...owners.filter((owner) => owner <= last)].slice(0, named);
  const places = new Map<OrganizationId | number, number>();
  const queued = due.flatMap((zone) => {
    const owner = zone.organizationId ?? 0;
    const number = order.indexOf(owner);
    if (number < 0) return [];
    const place = (places.get(owner) ?? 0) + (zone.isNamed ? 1 : 0);
    places.set(owner, place);
    return [{ zone, place, number }];
  });
  let taken = 0;
  return queued
    .toSorted((one, other) => one.place - other.place || one.number - other.number)
    .filter(({ zone }) => {
      taken += zone.isNamed ? 1 : 0;
      return taken <= named;
    })
    .map(({ zone }) => zone);
}
