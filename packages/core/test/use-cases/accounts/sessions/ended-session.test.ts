import { AddressChange, ApiTokenDraft, PasskeyDraft, PasswordChange, type SessionCaller } from '@zonewright/core';
import { expect } from 'chai';
import type { ResultAsync } from 'neverthrow';
import { requestAddressChange } from '../../../../src/accounts/address-changes/change-address.ts';
import { createApiToken } from '../../../../src/accounts/api-tokens/create-api-token.ts';
import { addPasskey, beginPasskey } from '../../../../src/accounts/passkeys/add-passkey.ts';
import { changePassword } from '../../../../src/accounts/passwords/change-password.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { replaceRecoveryCodes } from '../../../../src/accounts/two-factor/replace-recovery-codes.ts';
import { beginSetup, confirmSetup } from '../../../../src/accounts/two-factor/set-up.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aSession, noClient, password } from '../../../support/people.ts';
import { aSecondFactor, aWorldWithCaller, codeOf } from '../../../support/two-factor.ts';
import type { World } from '../../../support/world.ts';

type Attempt = (world: World, caller: SessionCaller) => ResultAsync<unknown, { readonly type: string }>;

/** What adds access to an account. `prepare` runs while the session is live. */
const attempts: Readonly<Record<string, (world: World, caller: SessionCaller) => Promise<Attempt>>> = {
  'another password': async () => (world, caller) =>
    changePassword(world)(caller, PasswordChange.parse({ currentPassword: password, newPassword: 'Changed-2' })),
  'an API token': async () => (world, caller) => createApiToken(world)(caller, ApiTokenDraft.parse({ name: 'Token' })),
  'another address': async () => (world, caller) =>
    requestAddressChange(world)(caller, AddressChange.parse({ email: 'new@example.org' })),
  'a second factor': async (given, owner) => {
    const { secret } = await valueOf(beginSetup(given)(owner));
    return (world, caller) => confirmSetup(world)(caller, codeOf(world, secret));
  },
  'recovery codes': async (given, owner) => {
    const { secret } = await aSecondFactor(given, owner);
    return (world, caller) => replaceRecoveryCodes(world)(caller, codeOf(world, secret));
  },
  'a passkey': async (given, owner) => {
    // The fake ceremonies write it as it is.
    const { challenge } = await valueOf(beginPasskey(given)(owner));
    return (world, caller) => addPasskey(world)(caller, aPasskeyDraft(challenge as string));
  },
};

describe('A session that ends after its request was authenticated', () => {
  for (const [what, prepare] of Object.entries(attempts)) {
    it(`adds no more: ${what}`, async () => {
      const { world, caller: owner } = await aWorldWithCaller();
      const { accessToken: token } = await aSession(world);
      const caller = await valueOf(authenticate(world)({ kind: 'access token', token }, noClient));
      const attempt = await prepare(world, owner);
      await world.unitOfWork.run(({ sessions }) => sessions.endAllOf(owner.userId));
      expect(await refusalOf(attempt(world, caller as SessionCaller))).to.deep.equal(['Unauthenticated']);
    });
  }
});

const aPasskeyDraft = (clientDataJSON: string) =>
  PasskeyDraft.parse({
    name: 'Laptop',
    response: {
      id: 'credential',
      rawId: 'credential',
      type: 'public-key',
      response: { clientDataJSON, attestationObject: 'key' },
    },
  });
