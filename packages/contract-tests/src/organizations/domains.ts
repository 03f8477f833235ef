import { type Domain, DomainId, DomainName, type Domains, HostName, type OrganizationId } from '@zonewright/core';
import { expect } from 'chai';
import { storedOwner } from '../arrangements/index.ts';
import { type Added, aZone, unique, uuid, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

type NewDomain = Added<Domains['add']>;

/** A domain of the organization that nobody has checked. */
const aDomain = (organizationId: OrganizationId, name = `d${unique()}.example`): NewDomain => ({
  id: DomainId.parse(uuid()),
  organizationId,
  name: DomainName.parse(name),
  proof: 'p'.repeat(43),
  firstCheckSeconds: 60,
});

/** Stores a domain in the given state. */
export async function storedDomain(
  storage: Storage,
  organizationId: OrganizationId,
  { name, state = 'verified' }: { readonly name?: string; readonly state?: Domain['state'] } = {},
): Promise<Domain> {
  const { id } = await runUnit(storage, ({ domains }) => domains.add(aDomain(organizationId, name)));
  return recordedCheck(storage, id, { state });
}

/** Records a check. */
export const recordedCheck = (
  storage: Storage,
  id: DomainId,
  after: Partial<Parameters<Parameters<Parameters<Storage['unitOfWork']['run']>[0]>[0]['domainChecks']['record']>[1]>,
) =>
  runUnit(storage, ({ domainChecks }) =>
    domainChecks.record(id, { state: 'pending', problem: undefined, misses: 0, nextCheckSeconds: 1000, ...after }),
  );

const hostName = (name: string): HostName => HostName.parse(name);

/** Every adapter of the port must pass this unchanged. */
export const domainsContract = contract('Domains contract', (storage) => {
  describe('add', () => addition(storage));
  describe('list, byId, count and named', () => lookup(storage));
  describe('remove', () => removal(storage));
});

function addition(storage: () => Storage): void {
  it('adds a pending domain that is due after the first delay', async () => {
    const { organizationId } = await storedOwner(storage());
    const domain = aDomain(organizationId);
    const { createdAt, updatedAt, nextCheckAt, ...added } = await runUnit(storage(), ({ domains }) =>
      domains.add(domain),
    );
    const { firstCheckSeconds, ...members } = domain;
    const none = { checkedAt: undefined, verifiedAt: undefined, problem: undefined };
    expect(added).to.deep.equal({ ...members, ...none, state: 'pending', revision: 1 });
    expect(updatedAt).to.deep.equal(createdAt);
    expect(Number(nextCheckAt) - createdAt.getTime()).to.equal(firstCheckSeconds * 1000);
  });

  it('refuses a name that the organization has, but not one that another has', async () => {
    const [one, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { name } = await storedDomain(storage(), one.organizationId);
    const again = storage().unitOfWork.run(({ domains }) => domains.add(aDomain(one.organizationId, name)));
    expect(await errorOf(again)).to.deep.equal({ type: 'DomainNameTaken' });
    await storedDomain(storage(), other.organizationId, { name });
  });
}

function lookup(storage: () => Storage): void {
  it('finds domains only in their organization, ordered by name', async () => {
    const [{ organizationId }, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const second = await storedDomain(storage(), organizationId, { name: 'b.example' });
    const first = await storedDomain(storage(), organizationId, { name: 'a.example' });
    await storedDomain(storage(), other.organizationId, { name: 'a.example' });
    const page = await readView(storage(), ({ domains }) => domains.list(organizationId, wholeList));
    expect(page).to.deep.equal({ items: [first, second], totalItems: 2 });
    expect(await readView(storage(), ({ domains }) => domains.count(organizationId))).to.equal(2);
    expect(await readView(storage(), ({ domains }) => domains.byId(organizationId, first.id))).to.deep.equal(first);
    const elsewhere = storage().unitOfWork.view(({ domains }) => domains.byId(other.organizationId, first.id));
    expect(await errorOf(elsewhere)).to.deep.equal({ type: 'DomainNotFound' });
    const names = [first.name, DomainName.parse('c.example')];
    expect(await readView(storage(), ({ domains }) => domains.named(organizationId, names))).to.deep.equal([first]);
  });
}

function removal(storage: () => Storage): void {
  const remove = (organization: OrganizationId, id: DomainId) =>
    storage().unitOfWork.run(({ domains }) => domains.remove(organization, id));

  it('removes a domain of the organization once', async () => {
    const [{ organizationId }, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { id } = await storedDomain(storage(), organizationId);
    expect(await errorOf(remove(other.organizationId, id))).to.deep.equal({ type: 'DomainNotFound' });
    await okOf(remove(organizationId, id));
    expect(await errorOf(remove(organizationId, id))).to.deep.equal({ type: 'DomainNotFound' });
  });

  for (const name of ['shop.example', 'www.shop.example', '*.shop.example', 'a.b.shop.example']) {
    it(`keeps a domain that covers ${name}, until the zone is gone`, async () => {
      const { organizationId, userId: createdBy } = await storedOwner(storage());
      const { id } = await storedDomain(storage(), organizationId, { name: 'shop.example' });
      await storedDomain(storage(), organizationId, { name: 'op.example' });
      const claims = [{ name: hostName(name), domain: id }];
      const zone = aZone({ organizationId, createdBy, hostnames: [hostName(name)], claims });
      await runUnit(storage(), ({ zones }) => zones.add(zone));
      expect(await errorOf(remove(organizationId, id))).to.deep.equal({ type: 'DomainInUse' });
      await runUnit(storage(), ({ zones }) => zones.remove(zone.id, undefined));
      await okOf(remove(organizationId, id));
    });
  }

  it('does not mind host names of other organizations or other domains', async () => {
    const [one, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const { id } = await storedDomain(storage(), one.organizationId, { name: 'shop.example' });
    for (const [{ organizationId, userId: createdBy }, name] of [
      [other, 'www.shop.example'],
      [one, 'workshop.example'],
    ] as const) {
      const claims = [{ name: hostName(name), domain: undefined }];
      const zone = aZone({ organizationId, createdBy, hostnames: [hostName(name)], claims });
      await runUnit(storage(), ({ zones }) => zones.add(zone));
    }
    await okOf(remove(one.organizationId, id));
  });
}

/** Every adapter of the port must pass this unchanged. */
export const domainChecksContract = contract('DomainChecks contract', (storage) => {
  describe('claim', () => claiming(storage));
  describe('lock and record', () => recording(storage));
});

function claiming(storage: () => Storage): void {
  const claim = (leaseSeconds = 60) => runUnit(storage(), ({ domainChecks }) => domainChecks.claim(leaseSeconds));

  it('gives due domains, the longest overdue first, and none of them again during the lease', async () => {
    const { organizationId } = await storedOwner(storage());
    const [later, sooner] = [
      await storedDomain(storage(), organizationId),
      await storedDomain(storage(), organizationId),
    ];
    await recordedCheck(storage(), later.id, { nextCheckSeconds: 20 });
    await recordedCheck(storage(), sooner.id, { nextCheckSeconds: 10 });
    expect(await claim()).to.equal(undefined);
    await storage().passTime(30);
    expect((await claim(50))?.id).to.equal(sooner.id);
    expect((await claim())?.id).to.equal(later.id);
    expect(await claim()).to.equal(undefined);
    await storage().passTime(60);
    expect((await claim())?.id).to.equal(sooner.id);
  });

  it('gives a domain to one of twenty processes', async () => {
    for (const _ of rounds) {
      const { organizationId } = await storedOwner(storage());
      const { id } = await storedDomain(storage(), organizationId);
      await recordedCheck(storage(), id, { nextCheckSeconds: 10 });
      await storage().passTime(10);
      const claimed = await concurrently(raceSize, () =>
        storage().unitOfWork.single(({ domainChecks }) => domainChecks.claim(60)),
      );
      expect(claimed.map((result) => result.unwrapOr(undefined)?.id).filter((each) => each === id)).to.deep.equal([id]);
    }
  });
}

function recording(storage: () => Storage): void {
  const lock = (id: DomainId) => runUnit(storage(), ({ domainChecks }) => domainChecks.lock(id));

  it('does not lock a domain that does not exist', async () => {
    const missing = storage().unitOfWork.run(({ domainChecks }) => domainChecks.lock(DomainId.parse(uuid())));
    expect(await errorOf(missing)).to.deep.equal({ type: 'DomainNotFound' });
  });

  it('counts seconds since the domain was added, since its state changed and since the first miss', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id } = await runUnit(storage(), ({ domains }) => domains.add(aDomain(organizationId)));
    await storage().passTime(100);
    await recordedCheck(storage(), id, { state: 'verified' });
    await storage().passTime(100);
    const problem = { code: 'dns.noRecord', message: 'None.' } as const;
    await recordedCheck(storage(), id, { state: 'verified', misses: 1, problem });
    await storage().passTime(100);
    await recordedCheck(storage(), id, { state: 'verified', misses: 2, problem });
    const { domain, misses, ...seconds } = await lock(id);
    expect([domain.state, domain.problem, domain.revision, misses]).to.deep.equal(['verified', problem, 4, 2]);
    expect(Math.round(seconds.ageSeconds / 10)).to.equal(30);
    expect(Math.round(seconds.stateSeconds / 10)).to.equal(20);
    expect(Math.round(seconds.missingSeconds / 10)).to.equal(10);
    await recordedCheck(storage(), id, { state: 'verified' });
    expect((await lock(id)).missingSeconds).to.equal(0);
  });

  it('says when the domain became verified, was checked and will be', async () => {
    const { organizationId } = await storedOwner(storage());
    const { id } = await runUnit(storage(), ({ domains }) => domains.add(aDomain(organizationId)));
    await storage().passTime(10);
    const verified = await recordedCheck(storage(), id, { state: 'verified', nextCheckSeconds: 500 });
    expect(verified.verifiedAt).to.deep.equal(verified.checkedAt);
    expect(verified.updatedAt).to.deep.equal(verified.checkedAt);
    expect(Number(verified.nextCheckAt) - Number(verified.checkedAt)).to.equal(500_000);
    await storage().passTime(10);
    const again = await recordedCheck(storage(), id, { state: 'verified' });
    expect(Number(again.checkedAt)).to.be.greaterThan(Number(again.verifiedAt));
    expect((await recordedCheck(storage(), id, { state: 'lapsing' })).verifiedAt).to.deep.equal(again.verifiedAt);
  });
}
