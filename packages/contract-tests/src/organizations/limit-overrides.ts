import {
  defaultUsageLimits,
  OrganizationId,
  organizationNotFound,
  type UsageLimits,
  usageLimitsWith,
} from '@zonewright/core';
import { expect } from 'chai';
import { ResultAsync } from 'neverthrow';
import { applying, type OwnedZone, storedCredential, storedZone } from '../arrangements/index.ts';
import { aChange } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, okOf, readView, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Everywhere the limits in force in a zone's organization can be read. */
async function limitsSeen(storage: Storage, { zone, userId, organizationId }: OwnedZone): Promise<UsageLimits[]> {
  const page = { page: 1, itemsPerPage: 1 };
  const found = await readView(storage, ({ zones, zoneChanges, organizations }) =>
    ResultAsync.combine([
      organizations.byId(organizationId),
      organizations.list([organizationId], page).map(({ items }) => items[0]!),
      zones.head(zone.id),
      zones.limitedState(zone.id),
      zoneChanges.facts(zone.id, userId),
    ]),
  );
  const locked = await runUnit(storage, ({ organizations }) => organizations.lock(organizationId));
  const credential = await storedCredential(storage, 'session', userId);
  const ahead = storage.unitOfWork.session(credential, { kind: 'zone', id: zone.id });
  await okOf(ahead.caller());
  const head = await okOf(ahead.view(({ zones }) => zones.head(zone.id)));
  return [locked, head, ...found].map(({ limits }) => limits);
}

/** Every adapter of the port must pass this unchanged. */
export const limitOverridesContract = contract('Own limits contract', (storage) => {
  const set = (id: OrganizationId, own: object) =>
    runUnit(storage(), ({ organizations, limitOverrides: limits }) =>
      organizations.lock(id).andThen(() => limits.set(id, own)),
    );

  it('are empty at first, then those set last, with the operator’s for the rest', async () => {
    const owned = await storedZone(storage());
    const other = await storedZone(storage());
    const { organizationId: id } = owned;
    const own = () => readView(storage(), ({ limitOverrides: limits }) => limits.of(id));
    const revision = async () => (await readView(storage(), ({ organizations }) => organizations.byId(id))).revision;
    expect(await own()).to.deep.equal({});
    const before = await revision();
    await set(id, { zones: 3, members: 7 });
    await set(id, { zones: 0, rewriteRules: 1000, operations: 1_000_000 });
    expect(await own()).to.deep.equal({ zones: 0, rewriteRules: 1000, operations: 1_000_000 });
    expect(await revision()).to.equal(before + 2);
    const inForce = usageLimitsWith({ zones: 0, rewriteRules: 1000, operations: 1000 });
    for (const limits of await limitsSeen(storage(), owned)) expect(limits).to.deep.equal(inForce);
    for (const limits of await limitsSeen(storage(), other)) expect(limits).to.deep.equal(defaultUsageLimits);
    await set(id, {});
    expect(await own()).to.deep.equal({});
    for (const limits of await limitsSeen(storage(), owned)) expect(limits).to.deep.equal(defaultUsageLimits);
  });

  it('are the same object for the same limits, so that derived values can be cached', async () => {
    const owned = await storedZone(storage());
    await set(owned.organizationId, { zones: 3 });
    const [first, ...others] = await limitsSeen(storage(), owned);
    for (const limits of others) expect(limits).to.equal(first);
  });

  it('fail for an organization that does not exist', async () => {
    const missing = OrganizationId.parse(2_000_000_000);
    const found = storage().unitOfWork.view(({ limitOverrides: limits }) => limits.of(missing));
    expect(await errorOf(found)).to.deep.equal(organizationNotFound());
  });

  it('supersede a change of a zone that was decided under others', async () => {
    const { zone, userId, organizationId } = await storedZone(storage());
    const facts = await readView(storage(), ({ zoneChanges }) => zoneChanges.facts(zone.id, userId));
    await set(organizationId, { configurationRules: 0 });
    const applied = await storage().unitOfWork.single(({ zoneChanges }) => applying(zoneChanges, facts, [], aChange()));
    expect(tally([applied])).to.deep.equal({ Superseded: 1 });
  });
});
