import type { BackendReference, JsonObject, RuleDraft, RuleList, WrittenLoadBalancer, ZoneId } from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import {
  applying,
  type OwnedZone,
  overridesWith,
  storedLoadBalancer,
  storedOriginServer,
  storedZone,
  withRules,
} from '../../arrangements/index.ts';
import { aChange, anOrigin, aRule, aRuleDraft, aUserId, aZoneName, unique } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { type HeldUnit, hold } from '../../gate.ts';
import { type Failure, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** An origin server as a client requests it. */
export const aServerDraft = (): JsonObject => ({
  name: `Server ${unique()}`,
  protocol: 'https',
  address: `server-${unique()}.example.net`,
});

/** A rule that sends requests to the backend. */
export const aRuleTo = (backend: BackendReference): RuleDraft<'configurationRule'> =>
  aRuleDraft('configurationRule', { members: overridesWith(backend) });

/** The list of rules of a zone that can use backends. */
export const rulesOf = (zone: ZoneId): RuleList<'configurationRule'> => ({ zone, kind: 'configurationRule' });

/** A unit that has written a rule that uses the backend, and has not committed yet. */
export const beginUse = (storage: Storage, { zone }: Pick<OwnedZone, 'zone'>, backend: BackendReference) => {
  const rule = aRule('configurationRule', { members: overridesWith(backend) });
  const plan = withRules(rulesOf(zone.id), [rule]);
  return hold(storage, ({ zoneChanges }) =>
    zoneChanges
      .facts(zone.id, zone.createdBy ?? aUserId())
      .andThen((facts) =>
        zoneChanges
          .resolveReferences(zone, { backends: [backend] })
          .andThen(({ versions }) => applying(zoneChanges, facts, versions, aChange(plan(facts.state)))),
      ),
  );
};

/** Deletes a backend of either kind. */
export const remove = (
  storage: Storage,
  { caller, organizationId }: OwnedZone,
  { type, id }: BackendReference,
): ResultAsync<void, Failure> =>
  type === 'load_balancer'
    ? casesOn(storage).deleteLoadBalancer(caller, organizationId, id, undefined)
    : casesOn(storage).deleteOriginServer(caller, organizationId, id, undefined);

/** The outcome of a unit that waits for the held one. */
export async function outcomeAfter(
  held: HeldUnit<unknown>,
  second: ResultAsync<unknown, Failure>,
  rest?: Parameters<typeof held.release>[0],
) {
  await held.endBefore(second, rest);
  return tally([await second]);
}

/** A zone, an origin server, and a load balancer over it. */
export async function storedParts(storage: Storage) {
  const owned = await storedZone(storage, { name: aZoneName('shop.example.com') });
  const { organizationId } = owned;
  const server = await storedOriginServer(storage, { organizationId });
  const balancer = await storedLoadBalancer(storage, { organizationId, origins: [anOrigin(server.id)] });
  const patchServer = (patch: object): ResultAsync<unknown, Failure> =>
    casesOn(storage).updateOriginServer(owned.caller, organizationId, server.id, { ...patch }, undefined);
  const patchBalancer = (patch: object): ResultAsync<Pick<WrittenLoadBalancer, 'origins'>, Failure> =>
    casesOn(storage).updateLoadBalancer(owned.caller, organizationId, balancer.id, { ...patch }, undefined);
  return { owned, organizationId, server, balancer, patchServer, patchBalancer };
}

/** An address that would send requests back to the zone. */
export const toZone = { address: 'Shop.example.com' };
