import { accountNotFound, UserId, userNotShared } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readProfile, readUser } from '../../../../src/accounts/accounts/read-accounts.ts';
import { anOrganization, callerOf, changeOrganization, programOf, setRole } from '../../../support/organizations.ts';
import { aUser, email } from '../../../support/people.ts';
import { aWorldWithCaller } from '../../../support/two-factor.ts';
import { aWorld } from '../../../support/world.ts';

describe('readProfile', () => {
  it("shows the user's own account, and only whether it has a password", async () => {
    const world = aWorld();
    const id = await aUser(world);
    await aUser(world, { email: 'eve@example.org' });
    expect(await readProfile(world)({ userId: id })).to.deep.equal(
      ok({
        id,
        email,
        firstName: 'Ada',
        lastName: 'Lovelace',
        active: true,
        emailVerified: true,
        twoFactorEnabled: false,
        twoFactorEnforced: false,
        hasPassword: true,
        connectedProviders: [],
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
        revision: 1,
      }),
    );
  });

  it('fails if the account does not exist', async () => {
    const unknown = UserId.parse('00000000-0000-7000-8000-000000000000');
    expect(await readProfile(aWorld())({ userId: unknown })).to.deep.equal(err(accountNotFound()));
  });
});

describe('readUser', () => {
  const card = (id: UserId, address = email) => ({ id, email: address, firstName: 'Ada', lastName: 'Lovelace' });

  it('shows users themselves as fellow members see them', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    expect(await readUser(world)(caller, id)).to.deep.equal(ok(card(id)));
  });

  it('shows fellow members to each other, whatever their roles', async () => {
    const { world, id } = await aWorldWithCaller();
    const eve = await aUser(world, { email: 'eve@example.org' });
    const organization = anOrganization(world);
    setRole(world, organization, id, 'viewer');
    setRole(world, organization, eve, 'owner');
    expect(await readUser(world)(callerOf(world, id), eve)).to.deep.equal(ok(card(eve, 'eve@example.org')));
    expect(await readUser(world)(callerOf(world, eve), id)).to.deep.equal(ok(card(id)));
  });

  it('hides strangers and former fellow members', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const eve = await aUser(world, { email: 'eve@example.org' });
    expect(await readUser(world)(caller, eve)).to.deep.equal(err(userNotShared()));
    const organization = anOrganization(world);
    for (const user of [id, eve]) setRole(world, organization, user, 'viewer');
    setRole(world, organization, eve, undefined);
    expect(await readUser(world)(callerOf(world, id), eve)).to.deep.equal(err(userNotShared()));
  });

  it('shows nobody through an organization outside the token’s scope or with an unmet two-factor requirement', async () => {
    const { world, id } = await aWorldWithCaller();
    const eve = await aUser(world, { email: 'eve@example.org' });
    const organization = anOrganization(world);
    for (const user of [id, eve]) setRole(world, organization, user, 'viewer');
    const memberships = new Map([...callerOf(world, id).memberships].filter(([each]) => each !== organization));
    const limited = { ...programOf(world, id), memberships };
    expect(await readUser(world)(limited, eve)).to.deep.equal(err(userNotShared()));
    expect((await readUser(world)(limited, id)).isOk()).to.equal(true);
    changeOrganization(world, organization, { enforceTwoFactor: true });
    expect(await readUser(world)(callerOf(world, id), eve)).to.deep.equal(err(userNotShared()));
  });

  it('fails if the user does not exist', async () => {
    const { world, caller } = await aWorldWithCaller();
    const nobody = UserId.parse('00000000-0000-7000-8000-00000000ffff');
    expect(await readUser(world)(caller, nobody)).to.deep.equal(err(accountNotFound()));
  });
});
