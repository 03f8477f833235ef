import { MailedToken, mailedTokenInvalid } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { verifyEmail } from '../../../../src/accounts/registration/verify-email.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aNewUser, email, noClient, storedUser } from '../../../support/people.ts';
import { aWorld, everythingIn, hours, type World } from '../../../support/world.ts';

/** The token of the most recently queued mail. */
const mailedToken = (world: World): MailedToken => {
  const mails = [...everythingIn(world).outbox.values()].map(({ mail }) => mail);
  const mail = mails.at(-1);
  return mail !== undefined && 'token' in mail ? mail.token : expect.fail('No mail with a token was queued.');
};

const isVerified = (world: World) => storedUser(world, email)?.emailVerified;

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

  it('refuses a token for another purpose', async () => {
    const { world, id, verify } = await anUnverifiedUser();
    const other = { hash: world.tokenHashes.of('reset'), userId: id, purpose: 'reset-password' } as const;
    const lifetimeSeconds = hours(1);
    await valueOf(world.unitOfWork.run(({ mailedTokens }) => mailedTokens.issue({ ...other, lifetimeSeconds })));
    expect(await verify(MailedToken.parse('reset'), noClient)).to.deep.equal(err(mailedTokenInvalid()));
    expect(isVerified(world)).to.equal(false);
  });
});
