import { OrganizationDraft, twoFactorRequired } from '@zonewright/core';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { createOrganization } from '../../../../src/organizations/organizations/create-organization.ts';
import { createRule } from '../../../../src/zones/rules/create-rule.ts';
import { createZone } from '../../../../src/zones/zone-changes/create-zone.ts';
import { deleteZone } from '../../../../src/zones/zone-changes/delete-zone.ts';
import { listZones } from '../../../../src/zones/zones/list-zones.ts';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { aMember, anOrganization, callerOf, changeOrganization, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser } from '../../../support/people.ts';
import { aRuleDraft, configurationRulesOf } from '../../../support/rules.ts';
import { aSecondFactor } from '../../../support/two-factor.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { aZone, aZoneDraft } from '../../../support/zones.ts';

const query = { organization: undefined, tags: [], search: undefined, sort: [], page: 1, itemsPerPage: 100 };

/** Two organizations with a zone each; one of them requires two-factor authentication, which the caller lacks. */
async function aWorldWithDemand() {
  const world = aWorld();
  const id = await aUser(world);
  const [demanding, other] = [anOrganization(world), anOrganization(world)];
  for (const organization of [demanding, other]) setRole(world, organization, id, 'owner');
  const before = callerOf(world, id);
  const closed = await aZone(world, before, { name: 'closed', organization: demanding });
  const open = await aZone(world, before, { name: 'open', organization: other });
  changeOrganization(world, demanding, { enforceTwoFactor: true });
  return { world, id, before, caller: callerOf(world, id), demanding, other, closed, open };
}

describe('an organization that requires a second factor', () => {
  it('omits its zones from the general list for members without one', async () => {
    const { world, id, caller, closed, open } = await aWorldWithDemand();
    const namesFor = async (who: typeof caller) => {
      const { items, totalItems } = await valueOf(listZones(world)(who, query));
      expect(totalItems).to.equal(items.length);
      return items.map(({ name }) => name);
    };
    expect(await namesFor(caller)).to.deep.equal([open.name]);
    await aSecondFactor(world, caller);
    expect(await namesFor(callerOf(world, id))).to.have.members([closed.name, open.name]);
  });

  it('refuses the list filtered by it, but not by another one', async () => {
    const { world, caller, demanding, other } = await aWorldWithDemand();
    const refused = await listZones(world)(caller, { ...query, organization: demanding });
    expect(refused).to.deep.equal(err(twoFactorRequired(demanding)));
    expect((await valueOf(listZones(world)(caller, { ...query, organization: other }))).totalItems).to.equal(1);
  });

  it('refuses reads and changes of its zones', async () => {
    const { world, caller, demanding, closed, open } = await aWorldWithDemand();
    const required = err(twoFactorRequired(demanding));
    const before = everythingIn(world);
    expect(await readZone(world)(caller, closed.id)).to.deep.equal(required);
    expect(await deleteZone(world)(caller, closed.id, undefined)).to.deep.equal(required);
    expect(await createRule(world)(caller, configurationRulesOf(closed), aRuleDraft('rule'))).to.deep.equal(required);
    const zone = aZoneDraft({ name: 'new', organization: demanding });
    expect(await createZone(world)(caller, zone)).to.deep.equal(required);
    expect(everythingIn(world)).to.deep.equal(before);
    expect((await readZone(world)(caller, open.id)).isOk()).to.equal(true);
  });

  it('refuses writes of a caller who was authenticated before the requirement', async () => {
    const { world, before, demanding, closed } = await aWorldWithDemand();
    const required = err(twoFactorRequired(demanding));
    expect(await deleteZone(world)(before, closed.id, undefined)).to.deep.equal(required);
    const zone = aZoneDraft({ name: 'new', organization: demanding });
    expect(await createZone(world)(before, zone)).to.deep.equal(required);
  });

  it('reports a missing role rather than a missing second factor, if both apply', async () => {
    const { world, demanding, closed } = await aWorldWithDemand();
    const { userId } = aMember(world, demanding, 'viewer');
    const viewer = callerOf(world, userId);
    expect(await refusalOf(deleteZone(world)(viewer, closed.id, undefined))).to.deep.equal(['PermissionDenied']);
    expect(await refusalOf(readZone(world)(viewer, closed.id))).to.deep.equal(['TwoFactorRequired']);
  });

  it('admits members who use one', async () => {
    const { world, id, caller, closed } = await aWorldWithDemand();
    await aSecondFactor(world, caller);
    const letIn = callerOf(world, id);
    expect(await refusalOf(readZone(world)(letIn, closed.id))).to.deep.equal(['accepted']);
    expect(await refusalOf(createRule(world)(letIn, configurationRulesOf(closed), aRuleDraft('rule')))).to.deep.equal([
      'accepted',
    ]);
    expect(await refusalOf(deleteZone(world)(letIn, closed.id, undefined))).to.deep.equal(['accepted']);
  });

  it('is not a candidate for a zone’s default organization', async () => {
    const { world, id, caller, other } = await aWorldWithDemand();
    const [personal] = [...caller.memberships.keys()];
    setRole(world, personal!, id, 'viewer');
    const created = await valueOf(createZone(world)(callerOf(world, id), aZoneDraft({ name: 'new' })));
    expect(created.organizationId).to.equal(other);
  });

  it('is reported if there is no other candidate', async () => {
    const { world, id, caller, demanding } = await aWorldWithDemand();
    for (const organization of caller.memberships.keys()) {
      if (organization !== demanding) setRole(world, organization, id, 'viewer');
    }
    const outcome = await createZone(world)(callerOf(world, id), aZoneDraft({ name: 'new' }));
    expect(outcome).to.deep.equal(err(twoFactorRequired(demanding)));
  });

  it('does not prevent its members from creating others', async () => {
    const { world, caller } = await aWorldWithDemand();
    const outcome = createOrganization(world)(caller, OrganizationDraft.parse({ name: 'Mine' }));
    expect(await refusalOf(outcome)).to.deep.equal(['accepted']);
  });
});
