import { ApiTokenDraft, knownNetworks, noticesPerHour } from '@zonewright/core';
import { expect } from 'chai';
import { createApiToken } from '../../../../src/accounts/api-tokens/create-api-token.ts';
import { completeTwoFactor } from '../../../../src/accounts/sign-in/complete-two-factor.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { reportSecondFactorLock } from '../../../../src/accounts/two-factor/report-second-factor-lock.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aLogin, aUser, email } from '../../../support/people.ts';
import { noticesIn, queuedMails } from '../../../support/traces.ts';
import {
  aChallenge,
  aWorldWithCaller,
  aWorldWithSecondFactor,
  codeOf,
  stepSeconds,
} from '../../../support/two-factor.ts';
import { aWorld, hours } from '../../../support/world.ts';

const from = (network: string | undefined) => ({ network, userAgent: 'curl/8' });

describe('Notices', () => {
  it('of a sign-in are sent if the account signed in before, from elsewhere', async () => {
    const world = aWorld();
    await aUser(world);
    const signIn = (network: string | undefined, password?: string) =>
      logIn(world)(aLogin(password === undefined ? {} : { password }), from(network));
    for (const network of [undefined, '192.0.2.1', '192.0.2.1', undefined]) await valueOf(signIn(network));
    await signIn('192.0.2.2', 'wrong');
    expect(noticesIn(world)).to.deep.equal([]);
    for (const network of ['192.0.2.2', '192.0.2.2', '192.0.2.1']) await valueOf(signIn(network));
    expect(queuedMails(world).at(-1)).to.deep.include({
      notice: 'signed-in-from-new-network',
      to: email,
      network: '192.0.2.2',
      userAgent: 'curl/8',
    });
    expect(noticesIn(world)).to.have.length(1);
    world.clock.advance(knownNetworks.rememberedSeconds);
    await valueOf(signIn('192.0.2.1'));
    expect(noticesIn(world)).to.have.length(2);
  });

  it('of a sign-in with a second factor wait for the code', async () => {
    const { world, secret } = await aWorldWithSecondFactor();
    const counts: number[] = [];
    const count = () => counts.push(noticesIn(world).filter((notice) => notice.startsWith('signed-in')).length);
    for (const network of ['192.0.2.1', '192.0.2.2']) {
      const challengeToken = await aChallenge(world);
      count();
      await valueOf(completeTwoFactor(world)({ challengeToken, code: codeOf(world, secret) }, from(network)));
      count();
      world.clock.advance(stepSeconds);
    }
    expect(counts).to.deep.equal([0, 0, 0, 1]);
  });

  it('of new API tokens are limited, without suppressing other kinds', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const create = (name: string) => valueOf(createApiToken(world)(caller, ApiTokenDraft.parse({ name })));
    for (let count = 0; count < 2 * noticesPerHour; count += 1) await create(`token ${count}`);
    const created = queuedMails(world).flatMap((mail) => (mail.kind === 'notice' ? [mail.isLastForNow] : []));
    expect(created).to.deep.equal([...Array(noticesPerHour - 1).fill(false), true]);
    await valueOf(reportSecondFactorLock(world)(id, from('192.0.2.1')));
    expect(noticesIn(world).at(-1)).to.equal(`second-factor-locked ${email}`);
    world.clock.advance(hours(1));
    await create('an hour later');
    expect(noticesIn(world).at(-1)).to.equal(`api-token-created ${email}`);
  });
});
