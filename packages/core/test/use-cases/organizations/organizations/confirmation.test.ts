import { InvitationDraft, type SessionCaller } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { createInvitation } from '../../../../src/organizations/invitations/send-invitation.ts';
import { changeMemberRole, removeMember } from '../../../../src/organizations/members/change-members.ts';
import { deleteOrganization } from '../../../../src/organizations/organizations/delete-organization.ts';
import { updateOrganization } from '../../../../src/organizations/organizations/update-organization.ts';
import { aMember, anOrganization, aWorldWithOrganization, callerOf, setRole } from '../../../support/organizations.ts';
import { refusalOf } from '../../../support/outcomes.ts';
import { aWorldWithSecondFactor } from '../../../support/two-factor.ts';

/** An organization with two owners and an editor. */
function arranged() {
  const { world, organization, owner } = aWorldWithOrganization();
  const [other, editor] = [aMember(world, organization, 'owner'), aMember(world, organization, 'editor')];
  return { world, organization, caller: owner, other: other.userId, editor: editor.userId };
}
type Arranged = ReturnType<typeof arranged>;
type Attempt = (given: Arranged) => ResultAsync<unknown, { readonly type: string }>;

const inviting =
  (role: string): Attempt =>
  ({ world, organization, caller }) =>
    createInvitation(world)(caller, organization, InvitationDraft.parse({ email: 'new@example.org', role }));
const patching =
  (patch: Readonly<Record<string, string | boolean | null>>): Attempt =>
  ({ world, organization, caller }) =>
    updateOrganization(world)(caller, organization, patch, undefined);

const guarded: Readonly<Record<string, Attempt>> = {
  'deleting the organization': ({ world, organization, caller }) =>
    deleteOrganization(world)(caller, organization, undefined),
  'giving the role of owner': ({ world, organization, caller, editor }) =>
    changeMemberRole(world)(caller, organization, editor, 'owner', undefined),
  'inviting an owner': inviting('owner'),
  'taking the role of owner': ({ world, organization, caller, other }) =>
    changeMemberRole(world)(caller, organization, other, 'admin', undefined),
  'removing an owner': ({ world, organization, caller, other }) =>
    removeMember(world)(caller, organization, other, undefined),
  'leaving as an owner': ({ world, organization, caller }) =>
    removeMember(world)(caller, organization, caller.userId, undefined),
};

const free: Readonly<Record<string, Attempt>> = {
  renaming: patching({ name: 'Another name' }),
  'inviting an admin': inviting('admin'),
  'removing an editor': ({ world, organization, caller, editor }) =>
    removeMember(world)(caller, organization, editor, undefined),
};

/** The same caller after a while. */
const later = ({ caller, ...given }: Arranged): Arranged => {
  const unconfirmed: SessionCaller = { ...caller, credential: { ...caller.credential, confirmed: false } };
  return { ...given, caller: unconfirmed };
};

describe('An owner whose session was not confirmed lately', () => {
  for (const [what, attempt] of Object.entries(guarded)) {
    it(`confirms it first: ${what}`, async () => {
      expect(await refusalOf(attempt(later(arranged())))).to.deep.equal(['ConfirmationRequired']);
      expect(await refusalOf(attempt(arranged()))).to.deep.equal(['accepted']);
    });
  }

  it('confirms it first: lifting the requirement of two factors', async () => {
    const { world, id } = await aWorldWithSecondFactor();
    const organization = anOrganization(world, { enforceTwoFactor: true });
    setRole(world, organization, id, 'owner');
    const given = { world, organization, caller: callerOf(world, id), other: id, editor: id };
    const lift = patching({ enforceTwoFactor: false });
    expect(await refusalOf(lift(later(given)))).to.deep.equal(['ConfirmationRequired']);
    expect(await refusalOf(lift(given))).to.deep.equal(['accepted']);
  });

  for (const [what, attempt] of Object.entries(free)) {
    it(`goes on: ${what}`, async () => {
      expect(await refusalOf(attempt(later(arranged())))).to.deep.equal(['accepted']);
    });
  }
});
