import {
  type Caller,
  creationDenied,
  type JsonObject,
  OrganizationDraft,
  OrganizationId,
  organizationNotEmpty,
  organizationNotFound,
  organizationVersion,
  ownSecondFactorMissing,
  permissionDenied,
  type Role,
  twoFactorRequired,
  versionMismatch,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { createOrganization } from '../../../../src/organizations/organizations/create-organization.ts';
import { deleteOrganization } from '../../../../src/organizations/organizations/delete-organization.ts';
import { listOrganizations, readOrganization } from '../../../../src/organizations/organizations/read-organizations.ts';
import { updateOrganization } from '../../../../src/organizations/organizations/update-organization.ts';
import {
  aMember,
  anOutsider,
  aWorldWithOrganization,
  callerOf,
  changeOrganization,
  programOf,
  setRole,
} from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aUser } from '../../../support/people.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aSecondFactor } from '../../../support/two-factor.ts';
import { everythingIn, type World } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

const page = { page: 1, itemsPerPage: 100 };
const missing = OrganizationId.parse(2_000_000_000);

const stored = (world: World, id: OrganizationId) => everythingIn(world).organizations.get(id);

/** A user with a role in the organization and two-factor authentication. */
async function aProtectedMember(world: World, organization: OrganizationId, role: Role, address: string) {
  const id = await aUser(world, { email: address });
  setRole(world, organization, id, role);
  await aSecondFactor(world, callerOf(world, id));
  return callerOf(world, id);
}

describe('createOrganization', () => {
  it('creates an organization owned by the caller', async () => {
    const { world, owner } = aWorldWithOrganization();
    const founded = await valueOf(createOrganization(world)(owner, OrganizationDraft.parse({ name: ' Team ' })));
    expect(founded).to.deep.include({ name: 'Team', enforceTwoFactor: false, revision: 1 });
    const caller = callerOf(world, owner.userId);
    expect(caller.memberships.get(founded.id)).to.deep.equal({ role: 'owner', needsTwoFactor: false });
    expect(await readOrganization(world)(caller, founded.id)).to.deep.equal(
      ok({ ...founded, storage: { used: 0, limit: 1_000_000_000 } }),
    );
  });

  it('is recorded in the log of the new organization', async () => {
    const { world, owner } = aWorldWithOrganization();
    const draft = OrganizationDraft.parse({ name: 'Team' });
    const entries = await entriesDuring(world, () => createOrganization(world)(owner, draft));
    const id = Math.max(...everythingIn(world).organizations.keys());
    expect(entries.map(({ action, organization }) => ({ action, organization }))).to.deep.equal([
      { action: 'organization.created', organization: id },
    ]);
  });

  it('refuses only scoped API tokens', async () => {
    const { world, owner } = aWorldWithOrganization();
    const team = OrganizationDraft.parse({ name: 'Team' });
    const program = programOf(world, owner.userId);
    const before = everythingIn(world);
    const kept = { ...program, credential: { ...program.credential, scoped: true } } as Caller;
    expect(await createOrganization(world)(kept, team)).to.deep.equal(err(creationDenied()));
    expect(everythingIn(world)).to.deep.equal(before);
    expect(await refusalOf(createOrganization(world)(program, team))).to.deep.equal(['accepted']);
  });
});

describe('readOrganization and listOrganizations', () => {
  for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) {
    it(`show the organization to a role of ${role}`, async () => {
      const { world, organization } = aWorldWithOrganization();
      const caller = aMember(world, organization, role);
      const { storage, ...read } = await valueOf(readOrganization(world)(caller, organization));
      expect([read.id, storage.used]).to.deep.equal([organization, 0]);
      expect(await valueOf(listOrganizations(world)(caller, page))).to.deep.equal({ items: [read], totalItems: 1 });
    });
  }

  it('refuse outsiders, and distinguish missing resources from those of others', async () => {
    const { world, organization } = aWorldWithOrganization();
    const outsider = anOutsider(world);
    const read = readOrganization(world);
    expect(await read(outsider, organization)).to.deep.equal(err(permissionDenied('organization.read')));
    expect(await read(outsider, missing)).to.deep.equal(err(organizationNotFound()));
    const { items } = await valueOf(listOrganizations(world)(outsider, page));
    expect(items.map(({ id }) => id)).to.not.include(organization);
  });

  it('list an organization that requires a second factor, and do not show it without one', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    changeOrganization(world, organization, { enforceTwoFactor: true });
    const caller = callerOf(world, owner.userId);
    expect(await readOrganization(world)(caller, organization)).to.deep.equal(err(twoFactorRequired(organization)));
    expect((await valueOf(listOrganizations(world)(caller, page))).totalItems).to.equal(1);
  });
});

describe('updateOrganization', () => {
  const rights: readonly (readonly [Role, JsonObject, string])[] = [
    ['owner', { name: 'Renamed' }, 'accepted'],
    ['admin', { name: 'Renamed' }, 'accepted'],
    ['editor', { name: 'Renamed' }, 'PermissionDenied'],
    ['viewer', { name: 'Renamed' }, 'PermissionDenied'],
    ['admin', { enforceTwoFactor: false }, 'accepted'],
    ['admin', { enforceTwoFactor: true }, 'PermissionDenied'],
    ['editor', { enforceTwoFactor: true }, 'PermissionDenied'],
  ];
  for (const [role, patch, expected] of rights) {
    it(`returns ${expected} for a role of ${role} writing ${JSON.stringify(patch)}`, async () => {
      const { world, organization } = aWorldWithOrganization();
      const outcome = updateOrganization(world)(aMember(world, organization, role), organization, patch, undefined);
      expect(await refusalOf(outcome)).to.deep.equal([expected]);
    });
  }

  it('renames the organization, and returns its new state', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    world.clock.advance(60);
    const renamed = await valueOf(updateOrganization(world)(owner, organization, { name: 'Renamed' }, undefined));
    expect(renamed).to.deep.include({ name: 'Renamed', revision: 2, updatedAt: world.clock.now() });
    expect(stored(world, organization)).to.include({ name: 'Renamed', revision: 2 });
  });

  it('leaves no trace if nothing changes', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const { name } = stored(world, organization)!;
    const before = everythingIn(world);
    world.clock.advance(60);
    for (const patch of [{}, { name }, { name, enforceTwoFactor: false }]) {
      expect(await refusalOf(updateOrganization(world)(owner, organization, patch, undefined))).to.deep.equal([
        'accepted',
      ]);
    }
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('refuses owners who require a second factor without using one themselves', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const before = everythingIn(world);
    const outcome = await updateOrganization(world)(owner, organization, { enforceTwoFactor: true }, undefined);
    expect(outcome).to.deep.equal(err(ownSecondFactorMissing()));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('refuses an admin who removes the requirement', async () => {
    const { world, organization } = aWorldWithOrganization();
    const admin = await aProtectedMember(world, organization, 'admin', 'admin@example.org');
    changeOrganization(world, organization, { enforceTwoFactor: true });
    const outcome = await updateOrganization(world)(admin, organization, { enforceTwoFactor: false }, undefined);
    expect(outcome).to.deep.equal(err(permissionDenied('organization.liftTwoFactor')));
  });

  const refused: readonly (readonly [JsonObject, ...string[]])[] = [
    [{ name: null }, 'name member.required'],
    [{ name: ' ' }, 'name text.tooShort'],
    [{ name: 'x'.repeat(256) }, 'name text.tooLong'],
    [{ enforceTwoFactor: 'yes' }, 'enforceTwoFactor member.type'],
    [{ id: 7 }, 'id member.unknown'],
  ];
  for (const [patch, ...violations] of refused) {
    it(`refuses ${JSON.stringify(patch).slice(0, 60)}`, async () => {
      const { world, organization, owner } = aWorldWithOrganization();
      const outcome = updateOrganization(world)(owner, organization, patch, undefined);
      expect(await refusalOf(outcome)).to.deep.equal(violations);
    });
  }

  it('changes only the expected version', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const version = organizationVersion(await valueOf(readOrganization(world)(owner, organization)));
    const update = updateOrganization(world);
    const stale = await update(owner, organization, { name: 'x' }, ['another']);
    expect(stale).to.deep.equal(err(versionMismatch(version)));
    expect(await refusalOf(update(owner, organization, { name: 'x' }, [version]))).to.deep.equal(['accepted']);
  });

  it('refuses a permission that was revoked after authentication', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    setRole(world, organization, owner.userId, 'viewer');
    const outcome = await updateOrganization(world)(owner, organization, { name: 'x' }, undefined);
    expect(outcome).to.deep.equal(err(permissionDenied('organization.rename')));
  });

  it('refuses what the credential does not allow, even if the user may', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const program = { ...programOf(world, owner.userId), memberships: new Map() };
    const outcome = await updateOrganization(world)(program, organization, { name: 'x' }, undefined);
    expect(outcome).to.deep.equal(err(permissionDenied('organization.rename')));
  });

  it('is recorded in the log of the organization, but not if it is refused', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const update = updateOrganization(world);
    const entries = await entriesDuring(world, () => update(owner, organization, { name: 'x' }, undefined));
    expect(entries.map(({ action, organization: id }) => ({ action, id }))).to.deep.equal([
      { action: 'organization.changed', id: organization },
    ]);
    expect(await entriesDuring(world, () => update(owner, organization, { name: 7 }, undefined))).to.deep.equal([]);
  });
});

describe('deleteOrganization', () => {
  for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) {
    it(`is ${role === 'owner' ? 'allowed' : 'refused'} to a role of ${role}`, async () => {
      const { world, organization } = aWorldWithOrganization();
      const outcome = await deleteOrganization(world)(aMember(world, organization, role), organization, undefined);
      expect(outcome).to.deep.equal(role === 'owner' ? ok() : err(permissionDenied('organization.delete')));
      expect(everythingIn(world).organizations.has(organization)).to.equal(role !== 'owner');
    });
  }

  it('refuses an organization that has zones, and reports how many', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    for (const name of ['a', 'b']) await aZone(world, owner, { name });
    const before = everythingIn(world);
    const outcome = await deleteOrganization(world)(owner, organization, undefined);
    expect(outcome).to.deep.equal(err(organizationNotEmpty(2)));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('deletes only the expected version, and fails if it does not exist', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const remove = deleteOrganization(world);
    expect(await remove(owner, organization, ['another'])).to.deep.equal(err(versionMismatch('1')));
    expect(await remove(owner, missing, undefined)).to.deep.equal(err(organizationNotFound()));
    expect(await remove(owner, organization, ['1'])).to.deep.equal(ok());
    expect(await remove(owner, organization, undefined)).to.deep.equal(err(organizationNotFound()));
  });

  it('is recorded, and the record outlives the organization', async () => {
    const { world, organization, owner } = aWorldWithOrganization();
    const entries = await entriesDuring(world, () => deleteOrganization(world)(owner, organization, undefined));
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'organization.deleted', objects: { organization: String(organization), name: 'Example' } },
    ]);
  });
});
