import {
  ApiTokenDraft,
  administration,
  NewUser,
  Password,
  type PresentedCredential,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { createApiToken } from '../../../../src/accounts/api-tokens/create-api-token.ts';
import { resetPassword } from '../../../../src/accounts/passwords/reset-password.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { refreshSession } from '../../../../src/accounts/sessions/refresh-session.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { callerOf } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import {
  aLogin,
  aSession,
  aUser,
  email,
  noClient,
  operator,
  password,
  storedUser,
  watched,
} from '../../../support/people.ts';
import { entriesDuring, lastMail, noticesIn, queuedMails } from '../../../support/traces.ts';
import { aChallenge, aWorldWithCaller, aWorldWithSecondFactor } from '../../../support/two-factor.ts';
import { aWorld, everythingIn, inTables, type World } from '../../../support/world.ts';

const nobody = '00000000-0000-7000-8000-000000000000' as UserId;
const recordedDuring = async (world: World, work: Parameters<typeof entriesDuring>[1]) =>
  (await entriesDuring(world, work)).map(({ action, actor, objects, client }) => ({ action, actor, objects, client }));
const recorded = (action: string, user: UserId) => ({ action, actor: undefined, objects: { user }, client: operator });

/** A user with a session and an API token, and the result of each way to authenticate. */
async function aWorldWithWaysIn() {
  const { world, id, caller } = await aWorldWithCaller();
  const session = await aSession(world);
  const { plainToken } = await valueOf(createApiToken(world)(caller, ApiTokenDraft.parse({ name: 'Backups' })));
  const asks = (credential: PresentedCredential) => refusalOf(authenticate(world)(credential, noClient));
  const waysIn = async () => [
    ...(await asks({ kind: 'access token', token: session.accessToken })),
    ...(await asks({ kind: 'API token', token: plainToken })),
    ...(await refusalOf(logIn(world)(aLogin(), noClient))),
    ...(await refusalOf(refreshSession(world)(session.refreshToken, noClient))),
  ];
  return { world, id, waysIn, ...administration(world) };
}

describe('blockUser and unblockUser', () => {
  it('take effect immediately, and allow new sign-ins afterwards', async () => {
    const { world, id, waysIn, blockUser, unblockUser } = await aWorldWithWaysIn();
    expect(await valueOf(blockUser(operator, id))).to.equal(false);
    expect(await waysIn()).to.deep.equal(['Unauthenticated', 'Unauthenticated', 'AccountInactive', 'AccountInactive']);
    expect(await valueOf(unblockUser(operator, id))).to.equal(true);
    expect(await waysIn()).to.deep.equal(['Unauthenticated', 'accepted', 'accepted', 'RefreshTokenInvalid']);
    expect([...everythingIn(world).sessions.values()].map(({ ended }) => ended)).to.deep.equal([true, false]);
  });

  it('are recorded with the account and the operator, but only if they change something', async () => {
    const { world, id } = await aWorldWithCaller();
    const { blockUser, unblockUser } = administration(world);
    const entries = await recordedDuring(world, async () => {
      await blockUser(operator, id);
      expect(await valueOf(blockUser(operator, id))).to.equal(true);
      await unblockUser(operator, id);
      expect(await valueOf(unblockUser(operator, id))).to.equal(false);
    });
    expect(entries).to.deep.equal([recorded('account.blocked', id), recorded('account.unblocked', id)]);
  });
});

describe('endAllSessions', () => {
  it('signs the user out everywhere, keeps API tokens, and is recorded', async () => {
    const { world, id, waysIn, endAllSessions } = await aWorldWithWaysIn();
    const entries = await recordedDuring(world, () => endAllSessions(operator, id));
    expect(entries).to.deep.equal([recorded('account.sessionsEnded', id)]);
    expect(await waysIn()).to.deep.equal(['Unauthenticated', 'accepted', 'accepted', 'RefreshTokenInvalid']);
  });
});

describe('removeSecondFactor', () => {
  it('lets the user sign in with just the password, voids what was issued before, and notifies them', async () => {
    const { world, id } = await aWorldWithSecondFactor();
    await aChallenge(world);
    const entries = await recordedDuring(world, () => administration(world).removeSecondFactor(operator, id));
    expect(entries).to.deep.equal([recorded('twoFactor.disabled', id)]);
    expect(noticesIn(world).at(-1)).to.equal(`two-factor-disabled ${email}`);
    expect((await valueOf(logIn(world)(aLogin(), noClient))).outcome).to.equal('session');
  });

  it('fails if it is not enabled', async () => {
    const { world, id } = await aWorldWithCaller();
    expect(await refusalOf(administration(world).removeSecondFactor(operator, id))).to.deep.equal([
      'TwoFactorNotEnabled',
    ]);
  });
});

describe('createUser', () => {
  const aNewUser = (changes: object = {}) =>
    NewUser.parse({ email, firstName: 'Ada', lastName: 'Lovelace', ...changes });

  it('creates an account with its own organization that can sign in immediately', async () => {
    const world = aWorld();
    const { createUser } = administration(world);
    const entries = await recordedDuring(world, () => createUser(operator, aNewUser({ password })));
    const { id } = storedUser(world, email)!;
    expect(entries).to.deep.equal([recorded('account.created', id)]);
    expect((await valueOf(logIn(world)(aLogin(), noClient))).outcome).to.equal('session');
    expect([...callerOf(world, id).memberships.values()]).to.deep.equal([{ role: 'owner', needsTwoFactor: false }]);
    expect(queuedMails(world)).to.deep.equal([]);
  });

  it('without a password, mails a link to choose one; nobody can sign in before that', async () => {
    const world = aWorld();
    const passwords = watched(world.passwords);
    await valueOf(administration({ ...world, passwords }).createUser(operator, aNewUser()));
    expect(passwords.asked).to.deep.equal([]);
    expect(await refusalOf(logIn(world)(aLogin(), noClient))).to.deep.equal(['InvalidCredentials']);
    const { kind, to, token } = lastMail(world);
    expect({ kind, to }).to.deep.equal({ kind: 'account-created', to: email });
    await valueOf(resetPassword(world)(token, Password.parse(password), noClient));
    expect((await valueOf(logIn(world)(aLogin(), noClient))).outcome).to.equal('session');
  });

  it('refuses a taken address, and a password on the blocklist', async () => {
    const world = aWorld();
    await aUser(world);
    const { createUser } = administration({ ...world, blocklist: { entries: new Set([password.toLowerCase()]) } });
    expect(await refusalOf(createUser(operator, aNewUser()))).to.deep.equal(['EmailTaken']);
    const other = aNewUser({ email: 'eve@example.org', password });
    expect(await refusalOf(createUser(operator, other))).to.deep.equal(['PasswordTooCommon']);
  });
});

describe('eraseUser', () => {
  it('erases a person once no organization with zones or other members needs them, and records it without their name', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const { eraseUser } = administration(world);
    const [organization] = caller.memberships.keys();
    const { organizations } = everythingIn(world);
    const row = organizations.get(organization!)!;
    const others = new Map([...row.members, [nobody, { role: 'admin', joinedAt: new Date() }] as const]);
    inTables(world, (tables) => void tables.organizations.set(organization!, { ...row, members: others }));
    const refused = await eraseUser(operator, id);
    expect(refused._unsafeUnwrapErr()).to.deep.equal({
      type: 'OrganizationsNeedOwner',
      organizations: [{ id: organization, name: row.name, others: 1, zones: 0 }],
    });
    inTables(world, (tables) => void tables.organizations.set(organization!, row));
    const entries = await recordedDuring(world, () => eraseUser(operator, id));
    expect(entries).to.deep.equal([recorded('account.deleted', id)]);
    expect(storedUser(world, email)).to.equal(undefined);
    expect(everythingIn(world).organizations.has(organization!)).to.equal(false);
  });
});

for (const name of ['blockUser', 'unblockUser', 'endAllSessions', 'eraseUser', 'removeSecondFactor'] as const) {
  it(`${name} fails for an account that does not exist`, async () => {
    const outcome = await administration(aWorld())[name](operator, nobody);
    expect(outcome.isErr() && outcome.error.type).to.equal('AccountNotFound');
  });
}
