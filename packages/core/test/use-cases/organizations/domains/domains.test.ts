import { checkNextDomain, DomainDraft, type DomainId, useCases, verificationRecord } from '@zonewright/core';
import { expect } from 'chai';
import { aMember, anOrganization, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser } from '../../../support/people.ts';
import { auditActionsIn, queuedMails } from '../../../support/traces.ts';
import { aWorld, days, hours, minutes, type World } from '../../../support/world.ts';
import { aZoneDraft } from '../../../support/zones.ts';

const aPlace = async () => {
  const world = aWorld();
  const organization = anOrganization(world);
  const owner = aMember(world, organization, 'owner');
  const cases = useCases(world);
  const add = (name = 'example.com') => cases.createDomain(owner, organization, DomainDraft.parse({ name }));
  const read = (id: DomainId) => valueOf(cases.readDomain(owner, organization, id));
  const verify = async (id: DomainId) => {
    const check = await valueOf(cases.checkRecord(owner, organization, id));
    return valueOf(cases.verifyDomain(owner, organization, id, check, undefined));
  };
  return { world, organization, owner, cases, add, read, verify };
};

/** Publishes the record of a domain, or something else in its place. */
function publish({ dns }: World, domain: Parameters<typeof verificationRecord>[0], text?: string): void {
  const { name, value } = verificationRecord(domain);
  dns.records.set(name, [text ?? value]);
}

/** Lets the service check whatever is due; resolves to the number of checks. */
async function checks(world: World): Promise<number> {
  for (let count = 0; ; count += 1) if ((await valueOf(checkNextDomain(world)())) === 'nothing due') return count;
}

describe('createDomain', () => {
  it('refuses a second one of the name, the host of the service, and names without a domain of their own', async () => {
    const { add, cases, organization } = await aPlace();
    const domain = await valueOf(add());
    expect(domain.proof).to.have.lengthOf(43);
    expect(await refusalOf(add('EXAMPLE.com'))).to.deep.equal(['name domain.duplicate']);
    expect(await refusalOf(add('zonewright.example.net'))).to.deep.equal(['name hostname.own']);
    const { world } = await aPlace();
    const editor = aMember(world, organization, 'editor');
    expect(
      await refusalOf(cases.createDomain(editor, organization, DomainDraft.parse({ name: 'a.example' }))),
    ).to.deep.equal(['PermissionDenied']);
  });

  it('gives the domain of each organization a record of its own', async () => {
    const { world, add, cases } = await aPlace();
    const other = anOrganization(world);
    const theirs = await valueOf(
      cases.createDomain(aMember(world, other, 'admin'), other, DomainDraft.parse({ name: 'example.com' })),
    );
    expect((await valueOf(add())).proof).not.to.equal(theirs.proof);
  });
});

describe('the checks of a domain', () => {
  it('happen after 1, 5, 15 and 60 minutes and every six hours, until the record is there', async () => {
    const { world, add, read } = await aPlace();
    const domain = await valueOf(add());
    const seen: number[] = [];
    for (let minute = 0; minute <= 13 * 60; minute += 1) {
      if ((await checks(world)) > 0) seen.push(minute);
      world.clock.advance(minutes(1));
    }
    expect(seen).to.deep.equal([1, 5, 15, 60, 60 + 360, 60 + 720]);
    expect(await read(domain.id)).to.have.deep.property('problem', {
      code: 'dns.noSuchName',
      message: 'DNS does not know this name.',
    });
    publish(world, domain);
    world.clock.advance(hours(6));
    expect(await checks(world)).to.equal(1);
    const verified = await read(domain.id);
    expect(verified).to.include({ state: 'verified', problem: undefined });
    expect(verified.verifiedAt).to.deep.equal(world.clock.now());
    expect(auditActionsIn(world)).to.include('domain.verified');
  });

  it('let a domain lapse with one mail to each owner and admin, and come back', async () => {
    const { world, organization, add, read, verify } = await aPlace();
    for (const role of ['admin', 'owner', 'editor', 'viewer'] as const) {
      setRole(world, organization, await aUser(world, { email: `${role}@example.org` }), role);
    }
    const domain = await valueOf(add());
    publish(world, domain);
    await verify(domain.id);
    publish(world, domain, 'something else');
    const states: string[] = [];
    for (let day = 0; day < 13; day += 1) {
      world.clock.advance(days(1));
      await checks(world);
      states.push((await read(domain.id)).state);
    }
    expect(states.filter((state) => state === 'verified')).to.have.lengthOf(2);
    expect(states.filter((state) => state === 'lapsing')).to.have.lengthOf(7);
    expect(states.at(-1)).to.equal('lapsed');
    const mails = queuedMails(world).filter(({ kind }) => kind === 'domain-lapsing');
    expect(mails.map((mail) => 'to' in mail && mail.to)).to.have.members(['admin@example.org', 'owner@example.org']);
    expect(mails[0]).to.deep.include({ domain: 'example.com', organization: 'Example' });
    publish(world, domain);
    world.clock.advance(days(1));
    await checks(world);
    expect((await read(domain.id)).state).to.equal('verified');
    expect(auditActionsIn(world).filter((action) => action.startsWith('domain.'))).to.deep.equal([
      'domain.added',
      'domain.verified',
      'domain.lapsing',
      'domain.lapsed',
      'domain.verified',
    ]);
  });

  it('do not count when DNS fails', async () => {
    const { world, add, read, verify } = await aPlace();
    const domain = await valueOf(add());
    publish(world, domain);
    await verify(domain.id);
    world.dns.records.set(verificationRecord(domain).name, 'failed');
    for (let day = 0; day < 20; day += 1) {
      world.clock.advance(days(1));
      await checks(world);
    }
    expect(await read(domain.id)).to.have.property('state', 'verified');
    expect((await read(domain.id)).problem?.code).to.equal('dns.failed');
  });
});

describe('deleteDomain', () => {
  it('keeps a domain that covers a host name, and removes it from then on', async () => {
    const { world, organization, owner, cases, add, verify } = await aPlace();
    const domain = await valueOf(add());
    publish(world, domain);
    await verify(domain.id);
    const zone = await valueOf(cases.createZone(owner, aZoneDraft({ hostnames: ['www.example.com'] })));
    const remove = () => cases.deleteDomain(owner, organization, domain.id, undefined);
    expect(await refusalOf(remove())).to.deep.equal(['DomainInUse']);
    await valueOf(cases.updateZone(owner, zone.id, { hostnames: null }, undefined));
    await valueOf(remove());
    expect(auditActionsIn(world).at(-1)).to.equal('domain.removed');
  });
});
