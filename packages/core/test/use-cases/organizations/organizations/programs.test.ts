import { type Caller, InvitationDraft, type OrganizationId, type Role, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { createInvitation, resendInvitation } from '../../../../src/organizations/invitations/send-invitation.ts';
import { changeMemberRole, removeMember } from '../../../../src/organizations/members/change-members.ts';
import { deleteOrganization } from '../../../../src/organizations/organizations/delete-organization.ts';
import { updateOrganization } from '../../../../src/organizations/organizations/update-organization.ts';
import { aMember, anOrganization, callerOf, programOf, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser } from '../../../support/people.ts';
import { aSecondFactor } from '../../../support/two-factor.ts';
import { aWorld, everythingIn, type World } from '../../../support/world.ts';

/** The scene of an attempt: an organization with two owners and a member with the row's role. */
interface Place {
  readonly world: World;
  readonly organization: OrganizationId;
  readonly member: UserId;
}

type Attempt = (place: Place, caller: Caller) => Promise<readonly string[]>;

const change = ({ world, organization }: Place, caller: Caller, patch: { name: string } | { enforceTwoFactor: true }) =>
  refusalOf(updateOrganization(world)(caller, organization, patch, undefined));
const give =
  (role: Role): Attempt =>
  ({ world, organization, member }, caller) =>
    refusalOf(changeMemberRole(world)(caller, organization, member, role, undefined));
const aDraft = (role: Role) => InvitationDraft.parse({ email: 'grace@example.org', role });
const invite =
  (role: Role): Attempt =>
  ({ world, organization }, caller) =>
    refusalOf(createInvitation(world)(caller, organization, aDraft(role)));
const resend =
  (role: Role): Attempt =>
  async ({ world, organization }, caller) => {
    const person = callerOf(world, caller.userId);
    const { id } = await valueOf(createInvitation(world)(person, organization, aDraft(role)));
    return refusalOf(resendInvitation(world)(caller, organization, id, undefined));
  };
const remove =
  (whom: 'the member' | 'itself'): Attempt =>
  ({ world, organization, member }, caller) =>
    refusalOf(removeMember(world)(caller, organization, whom === 'itself' ? caller.userId : member, undefined));

const attempts: readonly (readonly [what: string, role: Role, isForPrograms: boolean, attempt: Attempt])[] = [
  ['rename the organization', 'viewer', true, (...on) => change(...on, { name: 'Other' })],
  ['require a second factor', 'viewer', false, (...on) => change(...on, { enforceTwoFactor: true })],
  [
    'delete the organization',
    'viewer',
    false,
    ({ world, organization }, caller) => refusalOf(deleteOrganization(world)(caller, organization, undefined)),
  ],
  ['make a viewer an editor', 'viewer', true, give('editor')],
  ['make an editor an admin', 'editor', false, give('admin')],
  ['make an editor an owner', 'editor', false, give('owner')],
  ['make an admin a viewer', 'admin', false, give('viewer')],
  ['make an owner a viewer', 'owner', false, give('viewer')],
  ['remove a viewer', 'viewer', false, remove('the member')],
  ['leave', 'viewer', false, remove('itself')],
  ['invite a viewer', 'viewer', true, invite('viewer')],
  ['invite an editor', 'viewer', true, invite('editor')],
  ['invite an admin', 'viewer', false, invite('admin')],
  ['invite an owner', 'viewer', false, invite('owner')],
  ['resend the invitation of an editor', 'viewer', true, resend('editor')],
  ['resend the invitation of an admin', 'viewer', false, resend('admin')],
  ['resend the invitation of an owner', 'viewer', false, resend('owner')],
];

describe('API tokens of an owner', () => {
  const arrange = async (role: Role) => {
    const world = aWorld();
    const organization = anOrganization(world);
    aMember(world, organization, 'owner');
    const owner = await aUser(world);
    setRole(world, organization, owner, 'owner');
    await aSecondFactor(world, callerOf(world, owner));
    const member = aMember(world, organization, role).userId;
    return { place: { world, organization, member }, world, owner, organization };
  };

  for (const [what, role, isForPrograms, attempt] of attempts) {
    it(`${isForPrograms ? 'may' : 'may not'} ${what}, unlike the owner`, async () => {
      const { place, world, owner, organization } = await arrange(role);
      const before = everythingIn(world).organizations.get(organization);
      const outcome = await attempt(place, programOf(world, owner));
      expect(outcome).to.deep.equal([isForPrograms ? 'accepted' : 'SessionRequired']);
      if (!isForPrograms) expect(everythingIn(world).organizations.get(organization)).to.deep.equal(before);
      const other = await arrange(role);
      expect(await attempt(other.place, callerOf(other.world, other.owner))).to.deep.equal(['accepted']);
    });
  }

  it('get an error about the role rather than the session, if both apply', async () => {
    const { place, world, organization } = await arrange('viewer');
    const viewer = programOf(world, aMember(world, organization, 'viewer').userId);
    expect(await give('owner')(place, viewer)).to.deep.equal(['PermissionDenied']);
    expect(await remove('the member')(place, viewer)).to.deep.equal(['PermissionDenied']);
  });
});
