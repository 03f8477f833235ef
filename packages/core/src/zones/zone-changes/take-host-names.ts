import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { HostName } from '../../organizations/domains/dns-names.ts';
import type { HostNameClaim } from '../../organizations/domains/host-name-rules.ts';
import { type AdministratorMails, mailAdministrators } from '../../organizations/domains/mail-administrators.ts';
import type { Loser, ZoneChanges } from './ports.ts';
import { recordedChange } from './recorded-change.ts';

/** What a unit needs that may take host names from other zones. */
export interface HostNameTaking extends AdministratorMails {
  readonly zoneChanges: ZoneChanges;
}

/**
 * Takes the claimed host names from the zones whose organizations no longer prove them. Each zone gets a revision by the
 * service itself, and those who administer it get a mail. Superseded if one of them proves a name again.
 */
export const takeHostNames = (
  repositories: HostNameTaking,
  claims: readonly HostNameClaim[],
): ResultAsync<'taken' | 'superseded', never> =>
  safeTry(async function* () {
    for (const [zone, names] of namesByZone(claims)) {
      const loser = yield* repositories.zoneChanges.lockLoser(zone, names);
      if (loser === 'superseded') return ok(loser);
      yield* release(repositories, loser, names);
    }
    return ok('taken' as const);
  });

/** In one order, so that units that take names from the same zones do not wait for each other in a circle. */
function namesByZone(claims: readonly HostNameClaim[]): readonly (readonly [ZoneId, readonly HostName[]])[] {
  const zones = [...new Set(claims.flatMap(({ from }) => from ?? []))].toSorted();
  return zones.map((zone) => [zone, claims.flatMap(({ name, from }) => (from === zone ? [name] : []))]);
}

const release = (repositories: HostNameTaking, loser: Loser, lost: readonly HostName[]): ResultAsync<void, never> => {
  const { zone } = loser.state;
  const names = zone.hostnames.filter((name) => !lost.includes(name));
  const plan = { hostnames: { names, claims: [] } };
  const change = recordedChange(loser, undefined, { plan, action: 'zone.hostNamesLost', objects: {} });
  const subject = { kind: 'host-names-lost', zone: zone.name, hostnames: lost } as const;
  return repositories.zoneChanges
    .release(loser, change)
    .andThen(() => mailAdministrators(repositories, zone.organizationId, subject));
};
