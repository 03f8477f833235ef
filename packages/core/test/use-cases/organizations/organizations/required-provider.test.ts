import { type ApiTokenId, type Caller, ProviderId, providerRequired } from '@zonewright/core';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { liftRequiredProvider } from '../../../../src/accounts/administration/lift-required-provider.ts';
import { readOrganization } from '../../../../src/organizations/organizations/read-organizations.ts';
import { updateOrganization } from '../../../../src/organizations/organizations/update-organization.ts';
import { deleteZone } from '../../../../src/zones/zone-changes/delete-zone.ts';
import { listZones } from '../../../../src/zones/zones/list-zones.ts';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { aSessionBy, corp } from '../../../support/identities.ts';
import { aMember, anOrganization, callerOf, changeOrganization, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser, operator } from '../../../support/people.ts';
import { auditEntries } from '../../../support/traces.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

const query = { organization: undefined, tags: [], search: undefined, sort: [], page: 1, itemsPerPage: 100 };
const by = (caller: Caller, provider: ProviderId | undefined): Caller => ({
  ...caller,
  credential: { kind: 'session', id: 'a session' as never, provider, confirmed: true, confirmableBy: [] },
});

/** A member of two organizations with a zone each, one of which requires `corp`. */
async function aWorldWithDemand() {
  const world = aWorld();
  const id = await aUser(world);
  const [demanding, other] = [anOrganization(world), anOrganization(world)];
  for (const organization of [demanding, other]) setRole(world, organization, id, 'owner');
  const before = callerOf(world, id);
  const closed = await aZone(world, before, { name: 'closed', organization: demanding });
  const open = await aZone(world, before, { name: 'open', organization: other });
  changeOrganization(world, demanding, { requiredProvider: corp });
  return { world, caller: callerOf(world, id), demanding, closed, open };
}

describe('an organization that requires a provider', () => {
  it('is closed to sessions that did not come from it: its zones are neither listed, read nor changed', async () => {
    const { world, caller, demanding, closed, open } = await aWorldWithDemand();
    for (const provider of [undefined, ProviderId.parse('school')]) {
      const elsewhere = by(caller, provider);
      const { items, totalItems } = await valueOf(listZones(world)(elsewhere, query));
      expect([items.map(({ name }) => name), totalItems]).to.deep.equal([[open.name], 1]);
      const refused = err(providerRequired(demanding, 'corp'));
      expect(await listZones(world)(elsewhere, { ...query, organization: demanding })).to.deep.equal(refused);
      expect(await readZone(world)(elsewhere, closed.id)).to.deep.equal(refused);
      expect(await deleteZone(world)(elsewhere, closed.id, undefined)).to.deep.equal(refused);
      expect(await readOrganization(world)(elsewhere, demanding)).to.deep.equal(refused);
    }
  });

  it('is open to sessions from it, and to API tokens', async () => {
    const { world, caller, closed } = await aWorldWithDemand();
    const token = {
      kind: 'apiToken',
      id: 'a token' as ApiTokenId,
      readOnly: false,
      scoped: false,
      permissions: ['admin'],
      zones: undefined,
    } as const;
    for (const each of [by(caller, corp), { ...caller, credential: token }]) {
      expect((await valueOf(listZones(world)(each, query))).totalItems).to.equal(2);
      await valueOf(readZone(world)(each, closed.id));
    }
  });

  it('demands a second factor besides, if it requires both', async () => {
    const { world, caller, demanding, closed } = await aWorldWithDemand();
    changeOrganization(world, demanding, { enforceTwoFactor: true });
    const member = by(callerOf(world, caller.userId), corp);
    expect(await refusalOf(readZone(world)(member, closed.id))).to.deep.equal(['TwoFactorRequired']);
  });

  it('is opened by the operator, which its audit log says', async () => {
    const { world, caller, demanding, closed } = await aWorldWithDemand();
    await valueOf(liftRequiredProvider(world)(operator, demanding));
    await valueOf(readZone(world)(callerOf(world, caller.userId), closed.id));
    const { action, organization, objects } = auditEntries(world).at(-1)!;
    expect({ action, organization, objects }).to.deep.equal({
      action: 'organization.changed',
      organization: demanding,
      objects: { liftedProvider: 'corp' },
    });
    const before = everythingIn(world);
    await valueOf(liftRequiredProvider(world)(operator, demanding));
    expect(everythingIn(world)).to.deep.equal(before);
  });
});

describe('updateOrganization with requiredProvider', () => {
  const patch = { requiredProvider: 'corp' };

  it('is for owners who have linked the provider', async () => {
    const world = aWorld();
    const { caller } = await aSessionBy(world);
    const [organization] = [...caller.memberships.keys()];
    if (organization === undefined) throw new Error('A new account has an organization.');
    const update = updateOrganization(world);
    const unknown = update(caller, organization, { requiredProvider: 'school' }, undefined);
    expect(await refusalOf(unknown)).to.deep.equal(['OwnProviderMissing']);
    expect(await valueOf(update(caller, organization, patch, undefined))).to.include(patch);
    const inside = { ...caller, memberships: callerOf(world, caller.userId).memberships };
    const renamed = await valueOf(update(inside, organization, { name: 'Renamed' }, undefined));
    expect(renamed).to.include({ ...patch, name: 'Renamed' });
    const unconfirmed = { ...inside, credential: { ...inside.credential, confirmed: false } };
    const lift = { requiredProvider: null };
    expect(await refusalOf(update(unconfirmed, organization, lift, undefined))).to.deep.equal(['ConfirmationRequired']);
    expect(await valueOf(update(inside, organization, lift, undefined))).not.to.have.property('requiredProvider');
  });

  it('is refused to admins, and for what is no id of a provider', async () => {
    const world = aWorld();
    const { caller } = await aSessionBy(world);
    const organization = anOrganization(world);
    const admin = aMember(world, organization, 'admin');
    const update = updateOrganization(world);
    expect(await refusalOf(update(admin, organization, patch, undefined))).to.deep.equal(['PermissionDenied']);
    setRole(world, organization, caller.userId, 'owner');
    const owner = { ...caller, memberships: callerOf(world, caller.userId).memberships };
    const wrong = update(owner, organization, { requiredProvider: 'Not An Id' }, undefined);
    expect(await refusalOf(wrong)).to.deep.equal(['requiredProvider provider.id']);
  });
});
