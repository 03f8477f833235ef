import {
  confirmationSeconds,
  IdentityId,
  PasswordChange,
  type PasswordHash,
  type SessionTokens,
} from '@zonewright/core';
import { expect } from 'chai';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { listIdentitiesOf, removeIdentity } from '../../../../src/accounts/administration/remove-factors.ts';
import { completeFlow } from '../../../../src/accounts/identities/complete-flow.ts';
import { listIdentities, unlinkIdentity } from '../../../../src/accounts/identities/own-identities.ts';
import { redeemCode } from '../../../../src/accounts/identities/redeem-code.ts';
import { startLink } from '../../../../src/accounts/identities/start-flow.ts';
import { changePassword } from '../../../../src/accounts/passwords/change-password.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { endSession } from '../../../../src/accounts/sessions/own-sessions.ts';
import { aReturn, aSessionBy, corp, recognized, returned, school, schoolAddress } from '../../../support/identities.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aSession, aUser, changeUser, email, noClient, operator } from '../../../support/people.ts';
import { auditActionsIn, noticesIn } from '../../../support/traces.ts';
import { aWorld, type World } from '../../../support/world.ts';

const wholeList = { page: 1, itemsPerPage: 100 };

/** A user with a password, and their session. */
async function aSignedInUser(world: World) {
  await aUser(world);
  const tokens = await aSession(world);
  return { caller: await recognized(world, tokens), accessToken: tokens.accessToken };
}

/** Links an identity to the account of a session. */
function linked(world: World, session: Awaited<ReturnType<typeof aSignedInUser>>, subject = 'ada', provider = corp) {
  const { caller: linking, accessToken } = session;
  return returned(world, { subject, email: schoolAddress }, { provider, linking, accessToken });
}
const presented = (world: World, { accessToken: token }: Pick<SessionTokens, 'accessToken'>) =>
  authenticate(world)({ kind: 'access token', token }, noClient);
const identitiesOf = async (world: World, userId: Parameters<ReturnType<typeof listIdentitiesOf>>[0]) =>
  valueOf(listIdentitiesOf(world)(userId));

describe('a flow that links', () => {
  it('links the identity, records that, and tells the owner', async () => {
    const world = aWorld();
    const session = await aSignedInUser(world);
    const { revision } = await valueOf(readProfile(world)(session.caller));
    expect(await valueOf(linked(world, session))).to.deep.equal({ returnTo: '/zones', loggedIn: undefined });
    const profile = await valueOf(readProfile(world)(session.caller));
    expect(profile).to.deep.include({ connectedProviders: ['corp'], revision: revision + 1 });
    expect(auditActionsIn(world).at(-1)).to.equal('identity.linked');
    expect(noticesIn(world)).to.deep.equal([`provider-linked ${email}`]);
    const { items } = await valueOf(listIdentities(world)(session.caller, wholeList));
    expect(items).to.have.length(1);
    expect(items[0]).to.include({ provider: 'corp', name: 'CORP', email: schoolAddress });
    expect((await aSessionBy(world, { email })).caller.userId).to.equal(session.caller.userId);
  });

  it('refuses an identity of another account, and a second one of the provider', async () => {
    const world = aWorld();
    await aSessionBy(world, { subject: 'eve', email: 'eve@example.org' });
    const session = await aSignedInUser(world);
    expect(await refusalOf(linked(world, session, 'eve'))).to.deep.equal(['IdentityTaken']);
    await valueOf(linked(world, session, 'ada'));
    expect(await refusalOf(linked(world, session, 'ada-2'))).to.deep.equal(['ProviderAlreadyLinked']);
    await valueOf(linked(world, session, 'ada', school));
  });

  it('refuses an address of another domain', async () => {
    const world = aWorld();
    const { caller: linking, accessToken } = await aSignedInUser(world);
    const flow = { provider: school, linking, accessToken };
    expect(await refusalOf(returned(world, { email }, flow))).to.deep.equal(['DomainNotAllowed']);
  });

  it('begins only in a confirmed session', async () => {
    const world = aWorld();
    await aUser(world);
    const tokens = await aSession(world);
    world.clock.advance(confirmationSeconds);
    const start = startLink(world)(await recognized(world, tokens), corp);
    expect(await refusalOf(start)).to.deep.equal(['ConfirmationRequired']);
  });

  it('is completed only by the session that began it', async () => {
    const world = aWorld();
    const { caller: linking, accessToken } = await aSignedInUser(world);
    const other = await aSession(world);
    for (const token of [undefined, 'garbage', other.accessToken]) {
      const flow = { linking, ...(token === undefined ? {} : { accessToken: token }) };
      expect(await refusalOf(returned(world, {}, flow))).to.deep.equal(['FlowInvalid']);
    }
    const back = await aReturn(world, {}, { linking, accessToken });
    await valueOf(endSession(world)(linking, linking.credential.id));
    expect(await refusalOf(completeFlow(world)(back, noClient))).to.deep.equal(['FlowInvalid']);
    expect(await identitiesOf(world, linking.userId)).to.deep.equal([]);
  });
});

describe('unlinkIdentity', () => {
  async function aUserWithIdentity(world: World) {
    const session = await aSignedInUser(world);
    await valueOf(linked(world, session));
    const [identity] = await identitiesOf(world, session.caller.userId);
    return { ...session, id: identity!.id };
  }

  it('removes the identity and the sessions that came from it, and tells the owner', async () => {
    const world = aWorld();
    const { caller, accessToken, id } = await aUserWithIdentity(world);
    const { tokens } = await aSessionBy(world, { email });
    await valueOf(unlinkIdentity(world)(caller, id));
    expect(await refusalOf(presented(world, tokens))).to.deep.equal(['Unauthenticated']);
    expect(await refusalOf(presented(world, { accessToken }))).to.deep.equal(['accepted']);
    expect(auditActionsIn(world).at(-1)).to.equal('identity.unlinked');
    expect(noticesIn(world).at(-1)).to.equal(`provider-unlinked ${email}`);
  });

  it('keeps the last credential', async () => {
    const world = aWorld();
    const { caller } = await aSessionBy(world);
    const [{ id } = { id: unknownId }] = await identitiesOf(world, caller.userId);
    expect(await refusalOf(unlinkIdentity(world)(caller, id))).to.deep.equal(['LastCredential']);
    changeUser(world, caller.userId, { passwordHash: 'a hash' as PasswordHash });
    await valueOf(unlinkIdentity(world)(caller, id));
  });

  it('removes one of twenty times two identities of an account without password', async () => {
    const world = aWorld();
    const { caller, tokens } = await aSessionBy(world);
    await valueOf(
      returned(world, { email: schoolAddress }, { provider: school, linking: caller, accessToken: tokens.accessToken }),
    );
    const ids = (await identitiesOf(world, caller.userId)).map(({ id }) => id);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => unlinkIdentity(world)(caller, ids[index % 2]!)),
    );
    expect(results.filter((result) => result.isOk())).to.have.length(1);
    expect(await identitiesOf(world, caller.userId)).to.have.length(1);
  });

  it('needs a confirmed session, and an identity of the caller', async () => {
    const world = aWorld();
    const { caller, id } = await aUserWithIdentity(world);
    expect(await refusalOf(unlinkIdentity(world)(caller, unknownId))).to.deep.equal(['IdentityNotFound']);
    const unconfirmed = { ...caller, credential: { ...caller.credential, confirmed: false } };
    expect(await refusalOf(unlinkIdentity(world)(unconfirmed, id))).to.deep.equal(['ConfirmationRequired']);
  });

  it('is possible for the operator even for the last credential', async () => {
    const world = aWorld();
    const { caller } = await aSessionBy(world);
    const [identity] = await identitiesOf(world, caller.userId);
    await valueOf(removeIdentity(world)(operator, caller.userId, identity!.id));
    expect(await identitiesOf(world, caller.userId)).to.deep.equal([]);
    expect(auditActionsIn(world).at(-1)).to.equal('identity.unlinked');
    const again = removeIdentity(world)(operator, caller.userId, identity!.id);
    expect(await refusalOf(again)).to.deep.equal(['IdentityNotFound']);
  });
});

const unknownId = IdentityId.parse('00000000-0000-7000-8000-000000000000');

describe('changePassword of an account without one', () => {
  it('sets the first password in a confirmed session', async () => {
    const world = aWorld();
    const { caller } = await aSessionBy(world);
    const change = PasswordChange.parse({ newPassword: 'Correct-1' });
    const unconfirmed = { ...caller, credential: { ...caller.credential, confirmed: false } };
    expect(await refusalOf(changePassword(world)(unconfirmed, change))).to.deep.equal(['ConfirmationRequired']);
    await valueOf(changePassword(world)(caller, change));
    expect(await valueOf(readProfile(world)(caller))).to.include({ hasPassword: true });
  });
});

describe('redeemCode', () => {
  const redirectUri = 'https://app.example/callback';
  const grantOf = (code: string) => ({ code, codeVerifier: 'verifier', redirectUri, nonce: 'nonce' });

  async function aWorldWithProgram() {
    const world = aWorld();
    const all = world.signInProviders.all.map((each) => ({ ...each, redirectUris: [redirectUri] }));
    return { ...world, signInProviders: { ...world.signInProviders, all } };
  }

  it('signs in, once per code', async () => {
    const world = await aWorldWithProgram();
    const code = world.signInProviders.codeFor({ email: email as never });
    expect(await valueOf(redeemCode(world)(corp, grantOf(code), noClient))).to.include({ outcome: 'session' });
    expect(await refusalOf(redeemCode(world)(corp, grantOf(code), noClient))).to.deep.equal(['FlowInvalid']);
  });

  it('refuses addresses that are not registered, and asks nobody', async () => {
    const world = await aWorldWithProgram();
    const code = world.signInProviders.codeFor({ email: email as never });
    const grant = { ...grantOf(code), redirectUri: 'https://evil.example/callback' };
    expect(await refusalOf(redeemCode(world)(corp, grant, noClient))).to.deep.equal([
      'redirectUri provider.redirectUri',
    ]);
    await valueOf(redeemCode(world)(corp, grantOf(code), noClient));
  });
});
