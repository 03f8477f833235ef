import { Login } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { aTotpSecret, noClient } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { hold } from '../../gate.ts';
import { okOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** A sign-in while the second factor is enabled. */
export function signingIn(storage: () => Storage): void {
  it('issues a challenge for the right password if two-factor authentication is enabled before the session is opened', async () => {
    const { id: user, email } = await storedAccount(storage());
    const held = await hold(storage(), ({ accounts }) => accounts.lock(user));
    const login = Login.parse({ email, password: 'Secret123' });
    const signedIn = casesOn(storage()).logIn(login, noClient);
    await okOf(
      held.endBefore(signedIn, ({ credentials, twoFactors }) =>
        twoFactors
          .begin({ user, secret: aTotpSecret(), lifetimeSeconds: 900 })
          .andThen(() => twoFactors.enable(user, { confirmed: true }))
          .andThen(() => credentials.renew(user)),
      ),
    );
    expect((await okOf(signedIn)).outcome).to.equal('challenge');
  });
}
