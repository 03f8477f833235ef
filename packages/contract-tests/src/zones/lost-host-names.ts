import { type Domain, RevisionNumber, ZoneDraft } from '@zonewright/core';
import { expect } from 'chai';
import { type Owner, storedOwner } from '../arrangements/index.ts';
import { unique, wholeList } from '../builders/index.ts';
import { casesOn } from '../fakes.ts';
import { hold } from '../gate.ts';
import { recordedCheck, storedDomain } from '../organizations/domains.ts';
import { expectOneWinner } from '../races.ts';
import { concurrently, okOf, raceSize, readView, rounds, tally } from '../results.ts';
import type { Storage } from '../storage.ts';
import { created, patched, readZone, storedZoneId } from './host-name-arrangements.ts';

/** A domain name that no other test uses, and the organization that has lost it, with a zone that still has a name. */
async function lapsedHolder(storage: Storage, state: Domain['state'] = 'lapsed') {
  const holder = await storedOwner(storage);
  const domainName = `d${unique()}.example`;
  const domain = await storedDomain(storage, holder.organizationId, { name: domainName });
  const names = [`www.${domainName}`, `*.${domainName}`] as const;
  const zone = await storedZoneId(storage, holder, ...names);
  await recordedCheck(storage, domain.id, { state });
  const claimant = async (proof: Domain['state'] = 'verified') => {
    const owner = await storedOwner(storage);
    await storedDomain(storage, owner.organizationId, { name: domainName, state: proof });
    return owner;
  };
  return { holder, domain, names, zone, claimant };
}

/** Host names that go to who has proven them, from zones whose organizations no longer do. */
export function lostHostNames(storage: () => Storage): void {
  for (const [how, claim] of [
    ['created', (owner: Owner, name: string) => created(storage(), owner, name)],
    [
      'changed',
      async (owner: Owner, name: string) =>
        await patched(storage(), owner, await storedZoneId(storage(), owner), [name]),
    ],
  ] as const) {
    it(`go to a zone that is ${how} by who has verified the domain, with a revision by nobody`, async () => {
      const { holder, names, zone, claimant } = await lapsedHolder(storage());
      const before = await readZone(storage(), zone);
      expect((await okOf(claim(await claimant(), names[0]))).hostnames).to.deep.equal([names[0]]);
      const after = await readZone(storage(), zone);
      expect(after).to.deep.equal({
        ...before,
        hostnames: [names[1]],
        revision: before.revision + 1,
        updatedAt: after.updatedAt,
      });
      const { revision } = await okOf(
        casesOn(storage()).readRevision(holder.caller, zone, RevisionNumber.parse(after.revision)),
      );
      const { action, author, patch } = revision;
      expect({ action, author, patch: patch.value }).to.deep.equal({
        action: 'zone.hostNamesLost',
        author: undefined,
        patch: { hostnames: [names[1]] },
      });
      const log = await okOf(
        casesOn(storage()).readAuditLog(
          holder.caller,
          { organization: holder.organizationId, actions: ['zone.hostNamesLost'], actor: undefined, ...anytime },
          wholeList,
        ),
      );
      expect(log.items.map(({ actor, objects }) => ({ actor, objects }))).to.deep.equal([
        { actor: undefined, objects: { zone } },
      ]);
    });
  }

  for (const [holding, claiming] of [
    ['verified', 'verified'],
    ['lapsing', 'verified'],
    ['lapsed', 'lapsing'],
  ] as const) {
    it(`stay where they are if the one proof is ${holding} and the other ${claiming}`, async () => {
      const { names, zone, claimant } = await lapsedHolder(storage(), holding);
      const before = await readZone(storage(), zone);
      const refused = await created(storage(), await claimant(claiming), names[0]);
      expect(tally([refused])).to.deep.equal({ 'hostname.taken': 1 });
      expect(await readZone(storage(), zone)).to.deep.equal(before);
    });
  }

  it('have a lapsing domain checked at once, but not again within a minute', async () => {
    const { domain, names, claimant } = await lapsedHolder(storage(), 'lapsing');
    const owner = await claimant();
    const nextCheck = async () =>
      (await readView(storage(), ({ domains }) => domains.byId(domain.organizationId, domain.id))).nextCheckAt!;
    const planned = await nextCheck();
    await created(storage(), owner, names[0]);
    expect(await nextCheck()).to.deep.equal(planned);
    await storage().passTime(100);
    const later = await nextCheck();
    expect(tally([await created(storage(), owner, names[0])])).to.deep.equal({ 'hostname.taken': 1 });
    expect((await nextCheck()).getTime()).to.be.lessThan(later.getTime());
  });

  it('go to exactly one of twenty that have verified the domain', async () => {
    for (const _ of rounds) {
      const { names, zone, claimant } = await lapsedHolder(storage());
      const owners = [await claimant(), await claimant(), await claimant()];
      const zones = await concurrently(raceSize, (index) => storedZoneId(storage(), owners[index % 3]!));
      const { revision } = await readZone(storage(), zone);
      await expectOneWinner('hostname.taken', (index) =>
        index % 2 === 0
          ? created(storage(), owners[index % 3]!, names[0])
          : patched(storage(), owners[index % 3]!, zones[index]!, [names[0]]),
      );
      const after = await readZone(storage(), zone);
      expect([after.hostnames, after.revision]).to.deep.equal([[names[1]], revision + 1]);
    }
  });

  it('wait for a check of their domain, and stay if it is proven again', async () => {
    const { domain, names, zone, claimant } = await lapsedHolder(storage());
    const owner = await claimant();
    const id = await storedZoneId(storage(), owner);
    const held = await hold(storage(), ({ domainChecks }) =>
      domainChecks
        .lock(domain.id)
        .andThen(() =>
          domainChecks.record(domain.id, { state: 'verified', problem: undefined, misses: 0, nextCheckSeconds: 1000 }),
        ),
    );
    const changing = patched(storage(), owner, id, [names[0]]);
    await okOf(held.endBefore(changing));
    expect(tally([await changing])).to.deep.equal({ 'hostname.taken': 1 });
    expect((await readZone(storage(), zone)).hostnames).to.deep.equal(names);
  });

  it('are left where they are if the change that claims them fails', async () => {
    const { names, zone, claimant } = await lapsedHolder(storage());
    const before = await readZone(storage(), zone);
    const refused = casesOn(storage()).createZone(
      (await claimant()).caller,
      ZoneDraft.parse({ name: 'x', hostnames: [names[0], 'www.not-covered.example'] }),
    );
    expect(tally([await refused])).to.deep.equal({ 'hostname.notCovered': 1 });
    expect(await readZone(storage(), zone)).to.deep.equal(before);
  });
}

const anytime = { since: undefined, until: undefined };
