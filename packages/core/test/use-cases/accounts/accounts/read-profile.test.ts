import { accountNotFound, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { aUser, email } from '../../../support/people.ts';
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
