import { type Email, MailedToken, mailedTokenInvalid, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { verifyEmail } from '../../../../src/accounts/registration/verify-email.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aNewUser, changeUser, email, noClient, storedUser } from '../../../support/people.ts';
import { aWorld, days, everythingIn, hours, inTables, type World } from '../../../support/world.ts';

/** The token of the most recently queued mail. */
const mailedToken = (world: World): MailedToken => {
  const mails = [...everythingIn(world).outbox.values()].map(({ mail }) => mail);
  const mail = mails.at(-1);
  return mail !== undefined && 'token' in mail ? mail.token : expect.fail('No mail with a token was queued.');
};

const isVerified = (world: World) => storedUser(world, email)?.emailVerified;

const issueAnother = (world: World, userId: UserId, token: string, purpose: 'verify-email' | 'reset-password') =>
  valueOf(
    world.unitOfWork.run(({ mailedTokens }) =>
      mailedTokens.issue({
        hash: world.tokenHashes.of(token),
        userId,
        purpose,
        lifetimeSeconds: hours(1),
      }),
    ),
  );

const anUnverifiedUser = async () => {
  const world = aWorld();
  const id = await aNewUser(world);
  return { world, id, token: mailedToken(world), verify: verifyEmail(world) };
};

describe('verifyEmail', () => {
  it('verifies the address that the token was sent to', async () => {
    const { world, token, verify } = await anUnverifiedUser();
    expect(await verify(token, noClient)).to.deep.equal(ok());
    expect(isVerified(world)).to.equal(true);
  });

  it('changes the version of the account', async () => {
    const { world, token, verify } = await anUnverifiedUser();
    world.clock.advance(60);
    await valueOf(verify(token, noClient));
    expect(storedUser(world, email)).to.include({ revision: 2 });
    expect(storedUser(world, email)?.updatedAt).to.deep.equal(world.clock.now());
  });

  it('does not sign the user in', async () => {
    const { world, token, verify } = await anUnverifiedUser();
    await valueOf(verify(token, noClient));
    expect(everythingIn(world).sessions.size).to.equal(0);
  });

  it('spends the token', async () => {
    const { token, verify } = await anUnverifiedUser();
    await valueOf(verify(token, noClient));
    expect(await verify(token, noClient)).to.deep.equal(err(mailedTokenInvalid()));
  });

  it('refuses a token that was never sent, and keeps the right one valid', async () => {
    const { world, token, verify } = await anUnverifiedUser();
    expect(await verify(MailedToken.parse('guessed'), noClient)).to.deep.equal(err(mailedTokenInvalid()));
    expect(isVerified(world)).to.equal(false);
    expect(await verify(token, noClient)).to.deep.equal(ok());
  });

  it('refuses a token for another purpose, and keeps it valid for its own', async () => {
    const { world, id, verify } = await anUnverifiedUser();
    await issueAnother(world, id, 'reset', 'reset-password');
    expect(await verify(MailedToken.parse('reset'), noClient)).to.deep.equal(err(mailedTokenInvalid()));
    expect(isVerified(world)).to.equal(false);
    const redeemed = await world.unitOfWork.run(({ mailedTokens }) =>
      mailedTokens.redeem(world.tokenHashes.of('reset'), 'reset-password'),
    );
    expect(redeemed).to.deep.equal(ok({ userId: id, email }));
  });

  it('accepts a token for 24 hours, and no longer', async () => {
    const young = await anUnverifiedUser();
    young.world.clock.advance(days(1) - 1);
    expect(await young.verify(young.token, noClient)).to.deep.equal(ok());
    const old = await anUnverifiedUser();
    old.world.clock.advance(days(1));
    expect(await old.verify(old.token, noClient)).to.deep.equal(err(mailedTokenInvalid()));
    expect(isVerified(old.world)).to.equal(false);
  });

  it('accepts only the newest token', async () => {
    const { world, id, token, verify } = await anUnverifiedUser();
    await issueAnother(world, id, 'newer', 'verify-email');
    expect(await verify(token, noClient)).to.deep.equal(err(mailedTokenInvalid()));
    expect(isVerified(world)).to.equal(false);
    expect(await verify(MailedToken.parse('newer'), noClient)).to.deep.equal(ok());
  });

  it('accepts a token even after one for another purpose was issued', async () => {
    const { world, id, token, verify } = await anUnverifiedUser();
    await issueAnother(world, id, 'reset', 'reset-password');
    expect(await verify(token, noClient)).to.deep.equal(ok());
  });

  it('refuses a token from before the credentials changed', async () => {
    const { world, id, token, verify } = await anUnverifiedUser();
    changeUser(world, id, { credentialsVersion: 2 });
    expect(await verify(token, noClient)).to.deep.equal(err(mailedTokenInvalid()));
    expect(isVerified(world)).to.equal(false);
  });

  it('does not verify an address that replaced the one it was sent to', async () => {
    const { world, id, token, verify } = await anUnverifiedUser();
    changeUser(world, id, { email: 'new@example.org' as Email });
    expect(await verify(token, noClient)).to.deep.equal(err(mailedTokenInvalid()));
    expect(storedUser(world, 'new@example.org')?.emailVerified).to.equal(false);
  });

  it('does not lift an administrative block', async () => {
    const { world, id, token, verify } = await anUnverifiedUser();
    changeUser(world, id, { active: false });
    await verify(token, noClient);
    expect(storedUser(world, email)?.active).to.equal(false);
  });

  it('refuses the token of a deleted account', async () => {
    const { world, id, token, verify } = await anUnverifiedUser();
    inTables(world, ({ users }) => users.delete(id));
    expect(await verify(token, noClient)).to.deep.equal(err(mailedTokenInvalid()));
  });

  it('verifies only the account that the token belongs to', async () => {
    const { world, token, verify } = await anUnverifiedUser();
    await aNewUser(world, { email: 'eve@example.org' });
    await valueOf(verify(token, noClient));
    expect(storedUser(world, 'eve@example.org')?.emailVerified).to.equal(false);
  });
});
