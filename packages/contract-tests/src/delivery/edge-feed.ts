import { BackendAddress } from '@zonewright/core';
import { expect } from 'chai';
import {
  change,
  changesFor,
  idsIn,
  publishAll,
  removalsIn,
  renamed,
  rolledOut,
  storedHost,
} from '../arrangements/edges.ts';
import {
  addRules,
  applied,
  overridesWith,
  referenceTo,
  removed,
  storedBasicAuthUser,
  storedLoadBalancer,
  storedOriginServer,
  storedOwner,
  zoneSettingsWith,
} from '../arrangements/index.ts';
import { anOrigin, aRule } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { recordedCheck, storedDomain } from '../organizations/domains.ts';
import { readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { documents, removals, textOf } from './edge-documents.ts';
import { rounds } from './publishing-rounds.ts';

/** Every adapter of the port must pass this unchanged. */
export const edgeFeedContract = contract('EdgeFeed contract', (storage) => {
  describe('changes', () => changes(storage));
  describe('due and publish', () => publishing(storage));
  describe('rounds', () => rounds(storage));
  describe('document and forget', () => documents(storage));
  describe('forget', () => removals(storage));
});

function changes(storage: () => Storage): void {
  it('has the zones that have host names, with the digests of their documents', async () => {
    const { zone } = await storedHost(storage());
    await storedHost(storage(), { hostnames: [], claims: [] });
    await publishAll(storage());
    const { zones, isKnown } = await changesFor(storage());
    expect(isKnown).to.equal(false);
    const [first] = zones;
    expect(zones).to.have.lengthOf(1);
    expect(first?.id).to.equal(zone.id);
    expect(first?.document?.hostnames).to.deep.equal(zone.hostnames);
    expect(first?.document?.revision).to.equal(1);
  });

  it('has after a position what has changed since, in the order of publication', async () => {
    const [one, other] = [await storedHost(storage()), await storedHost(storage())];
    await publishAll(storage());
    const { end } = await changesFor(storage());
    expect(await changesFor(storage(), {}, end)).to.deep.include({ isKnown: true, zones: [], end });
    await change(storage(), other.zone);
    await publishAll(storage());
    await change(storage(), one.zone);
    await publishAll(storage());
    expect(idsIn(await changesFor(storage(), {}, end))).to.deep.equal([other.zone.id, one.zone.id]);
  });

  it('has one zone more than asked for, and goes on after the last one', async () => {
    for (const _ of [1, 2, 3]) await storedHost(storage());
    await publishAll(storage());
    const page = await changesFor(storage(), {}, undefined, 2);
    expect(page.zones).to.have.lengthOf(3);
    const rest = await changesFor(storage(), {}, { ...page.end, number: page.zones[1]?.position ?? 0 });
    expect(idsIn(rest)).to.deep.equal(idsIn(page).slice(2));
  });

  it('does not know a position of another database', async () => {
    const { zone } = await storedHost(storage());
    await publishAll(storage());
    const { end } = await changesFor(storage());
    for (const position of [
      { ...end, nonce: '0190a000-0000-4000-8000-000000000000' },
      { ...end, publication: end.publication + 1 },
      { ...end, number: end.number + 1 },
    ]) {
      const page = await changesFor(storage(), {}, position);
      expect(page.isKnown).to.equal(false);
      expect(idsIn(page)).to.deep.equal([zone.id]);
    }
  });

  it('removes deleted zones, and those that leave the scope of an edge', async () => {
    const [gone, moved] = [await storedHost(storage()), await storedHost(storage())];
    await publishAll(storage());
    const { end } = await changesFor(storage());
    await runUnit(storage(), (repositories) => removed(repositories, gone.zone.id));
    await change(storage(), moved.zone, renamed({ tag: 'stage' }));
    await publishAll(storage());
    expect(removalsIn(await changesFor(storage(), {}, end))).to.deep.equal([gone.zone.id]);
    const production = await changesFor(storage(), { tags: ['prod'] }, end);
    expect(removalsIn(production)).to.have.members([gone.zone.id, moved.zone.id]);
    expect(idsIn(await changesFor(storage(), { tags: ['dev'] }, end))).to.deep.equal([]);
    expect(idsIn(await changesFor(storage(), { tags: ['stage'] }))).to.deep.equal([moved.zone.id]);
    expect(idsIn(await changesFor(storage(), { tags: ['prod'] }))).to.deep.equal([]);
  });

  it('counts the zones that have not changed if it removes any', async () => {
    const [gone, changed] = [await storedHost(storage()), await storedHost(storage())];
    await storedHost(storage());
    await publishAll(storage());
    const { end } = await changesFor(storage());
    await runUnit(storage(), (repositories) => removed(repositories, gone.zone.id));
    await change(storage(), changed.zone);
    await storedHost(storage());
    await publishAll(storage());
    const { zones, unchanged } = await changesFor(storage(), {}, end);
    expect([zones.length, unchanged]).to.deep.equal([3, 1]);
  });

  it('has only zones of the organizations of an edge', async () => {
    const [one] = [await storedHost(storage()), await storedHost(storage())];
    await publishAll(storage());
    expect(idsIn(await changesFor(storage(), { organizations: [one.organizationId] }))).to.deep.equal([one.zone.id]);
  });
}

function publishing(storage: () => Storage): void {
  it('makes no entry of a zone that has not changed', async () => {
    const { zone } = await storedHost(storage());
    await publishAll(storage());
    const { end } = await changesFor(storage());
    await runUnit(storage(), ({ edgeFeed }) => edgeFeed.markAll('another version'));
    await publishAll(storage());
    expect((await changesFor(storage())).end).to.deep.equal(end);
    await change(storage(), zone);
    await publishAll(storage());
    expect((await changesFor(storage())).end).to.not.deep.equal(end);
  });

  it('shows whether anything is due', async () => {
    const status = () => readView(storage(), ({ edgeFeed }) => edgeFeed.status());
    const before = await status();
    await storedHost(storage());
    expect((await status()).isDue).to.equal(true);
    await publishAll(storage());
    const { isPending: isToBeNoted } = await status();
    await rolledOut(storage());
    await publishAll(storage());
    const { isDue, isPending, publication } = await status();
    expect([isToBeNoted, isDue, isPending]).to.deep.equal([true, false, false]);
    expect(publication).to.be.greaterThan(before.publication);
  });

  it('skips nothing when two writers commit in the other order', async () => {
    const [first, second] = [await storedHost(storage()), await storedHost(storage())];
    await publishAll(storage());
    const { end } = await changesFor(storage());
    const slow = await hold(storage(), (repositories) => applied(repositories, first.zone.id, renamed(first.zone)));
    if (storage().unitsOverlap) await change(storage(), second.zone);
    if (storage().unitsOverlap) await publishAll(storage());
    const between = await changesFor(storage(), {}, end);
    expect(idsIn(between)).to.deep.equal(storage().unitsOverlap ? [second.zone.id] : []);
    await slow.release(({ zones }) => zones.head(first.zone.id));
    await publishAll(storage());
    expect(idsIn(await changesFor(storage(), {}, between.end))).to.deep.equal([first.zone.id]);
  });

  it('publishes zones again whose backend has changed, and no others', async () => {
    const owner = await storedOwner(storage());
    const server = await storedOriginServer(storage(), owner);
    const settings = zoneSettingsWith(referenceTo('origin_server', server));
    const { zone } = await storedHost(storage(), { owner, settings });
    const balancer = await storedLoadBalancer(storage(), { ...owner, origins: [anOrigin(server.id)] });
    const behind = await storedHost(storage(), { owner });
    const rule = aRule('configurationRule', { members: overridesWith(referenceTo('load_balancer', balancer)) });
    await addRules(storage(), { zone: behind.zone.id, kind: 'configurationRule' }, [rule]);
    await storedHost(storage(), { owner });
    const deleted = await storedHost(storage(), { owner, settings });
    await runUnit(storage(), (repositories) => removed(repositories, deleted.zone.id));
    await publishAll(storage());
    const { end } = await changesFor(storage());
    const moved = { ...server, address: BackendAddress.parse('elsewhere.example.net') };
    await runUnit(storage(), ({ originServers }) =>
      originServers.lock(owner.organizationId, server.id).andThen(() => originServers.save(moved, undefined)),
    );
    await publishAll(storage());
    const page = await changesFor(storage(), {}, end);
    expect([idsIn(page), removalsIn(page)]).to.deep.equal([[zone.id, behind.zone.id], []]);
    for (const { id } of [zone, behind.zone]) expect(await textOf(storage(), id)).to.include('elsewhere.example.net');
  });

  it('publishes a zone again after a change of its rules or basic-auth users, whose hashes its document has', async () => {
    const { zone } = await storedHost(storage());
    await publishAll(storage());
    const isPublished = async () => {
      const { end } = await changesFor(storage());
      await publishAll(storage());
      return idsIn(await changesFor(storage(), {}, end)).includes(zone.id);
    };
    expect(await isPublished()).to.equal(false);
    await addRules(storage(), { zone: zone.id, kind: 'rewriteRule' }, [aRule('rewriteRule')]);
    expect(await isPublished(), 'rules').to.equal(true);
    const { id, username } = await storedBasicAuthUser(storage(), zone.id);
    expect(await isPublished(), 'users').to.equal(true);
    const { basicAuthUsers } = JSON.parse(await textOf(storage(), zone.id));
    expect(basicAuthUsers).to.deep.equal({ [id]: { username, hash: await storage().basicAuthHash(id) } });
  });

  it('removes zones that have no host name any more, or none whose domain still covers it', async () => {
    const rules = { own: undefined, verification: 'dns' } as const;
    const owner = await storedOwner(storage());
    const domain = await storedDomain(storage(), owner.organizationId, { name: 'example.com' });
    const [covered, emptied] = [await storedHost(storage(), { owner }), await storedHost(storage(), { owner })];
    const publish = async () => {
      const { end } = await changesFor(storage());
      await publishAll(storage(), rules);
      const page = await changesFor(storage(), {}, end);
      return { changed: idsIn(page), removed: removalsIn(page) };
    };
    const { changed } = await publish();
    expect(changed).to.have.members([covered.zone.id, emptied.zone.id]);
    await change(storage(), emptied.zone, () => ({ hostnames: { names: [], claims: [] } }));
    expect((await publish()).removed).to.deep.equal([emptied.zone.id]);
    await recordedCheck(storage(), domain.id, { state: 'lapsing' });
    expect((await publish()).changed).to.deep.equal([]);
    await recordedCheck(storage(), domain.id, { state: 'lapsed' });
    expect((await publish()).removed).to.deep.equal([covered.zone.id]);
    await recordedCheck(storage(), domain.id, { state: 'verified' });
    expect(await publish()).to.deep.equal({ changed: [covered.zone.id], removed: [] });
  });
}
