import { emailKey, flowLifetimeSeconds, IdentityId, ProviderId, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { block, storedAccount, storedIdentity, storedOwner, storedSession } from '../arrangements/index.ts';
import { anAccount, anIdentity, anOrganizationName, aTokenHash, type NewIdentity, uuid } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { expectOneWinner, happensOnce } from '../races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const identitiesContract = contract('Identities contract', (storage) => {
  describe('link', () => linking(storage));
  describe('use', () => using(storage));
  describe('unlink', () => unlinking(storage));
});

const link = ({ unitOfWork }: Storage, identity: NewIdentity) =>
  unitOfWork.run(({ identities }) => identities.link(identity));
const profileOf = (storage: Storage, user: UserId) => readView(storage, ({ accounts }) => accounts.profile(user));
const identitiesOf = (storage: Storage, user: UserId) => readView(storage, ({ identities }) => identities.list(user));
const corp = ProviderId.parse('corp');

function linking(storage: () => Storage): void {
  it('shows the identity, which is a new version of the profile', async () => {
    const { id: userId, email } = await storedAccount(storage());
    const before = await profileOf(storage(), userId);
    const { id } = await storedIdentity(storage(), { userId, email });
    const [linked, ...others] = await identitiesOf(storage(), userId);
    expect(others).to.deep.equal([]);
    expect(linked).to.deep.include({ id, provider: 'corp', email, lastUsedAt: undefined });
    const after = await profileOf(storage(), userId);
    expect(after).to.deep.include({ connectedProviders: ['corp'], revision: before.revision + 1 });
  });

  it('changes nothing for an identity that the account has already', async () => {
    const identity = await storedIdentity(storage());
    const before = await profileOf(storage(), identity.userId);
    expect(await okOf(link(storage(), { ...identity, id: IdentityId.parse(uuid()) }))).to.equal(false);
    expect(await profileOf(storage(), identity.userId)).to.deep.equal(before);
  });

  it('refuses a second identity of a provider, but not one of another', async () => {
    const { id: userId } = await storedAccount(storage());
    await storedIdentity(storage(), { userId });
    expect(await errorOf(link(storage(), anIdentity({ userId })))).to.deep.equal({ type: 'ProviderAlreadyLinked' });
    expect(await okOf(link(storage(), anIdentity({ userId, provider: ProviderId.parse('github') })))).to.equal(true);
    const all = await identitiesOf(storage(), userId);
    expect(all.map(({ provider }) => provider)).to.deep.equal(['corp', 'github']);
  });

  it('links one identity to one of twenty accounts that want it at once', async () => {
    for (const _ of rounds.slice(2)) {
      const users = await concurrently(raceSize, async () => (await storedAccount(storage())).id);
      const { subject } = anIdentity({ userId: users[0] as UserId });
      const results = await Promise.all(users.map((userId) => link(storage(), anIdentity({ userId, subject }))));
      expect(tally(results)).to.deep.equal({ Ok: 1, IdentityTaken: raceSize - 1 });
    }
  });

  it('gives an account one of twenty identities of a provider', async () => {
    for (const _ of rounds.slice(2)) {
      const { id: userId } = await storedAccount(storage());
      await expectOneWinner('ProviderAlreadyLinked', () => link(storage(), anIdentity({ userId })));
    }
  });

  it('makes a second link of the identity wait for the first', async () => {
    const [{ id: ada }, { id: grace }] = [await storedAccount(storage()), await storedAccount(storage())];
    const { subject } = anIdentity({ userId: ada });
    const held = await hold(storage(), ({ identities }) => identities.link(anIdentity({ userId: ada, subject })));
    const second = link(storage(), anIdentity({ userId: grace, subject }));
    await okOf(held.endBefore(second));
    expect(await errorOf(second)).to.deep.equal({ type: 'IdentityTaken' });
  });
}

function using(storage: () => Storage): void {
  const use = (subject: Pick<NewIdentity, 'issuer' | 'subject'>) =>
    okOf(storage().unitOfWork.single(({ identities }) => identities.use(subject)));

  it('finds the account by issuer and subject, and notes the use', async () => {
    const identity = await storedIdentity(storage());
    expect(await use(identity)).to.deep.include({ userId: identity.userId, provider: 'corp', standing: 'active' });
    const [used] = await identitiesOf(storage(), identity.userId);
    expect(used?.lastUsedAt).to.be.instanceOf(Date);
  });

  it('finds nobody by the same subject of another issuer', async () => {
    const { subject } = await storedIdentity(storage());
    expect(await use({ issuer: 'https://other.example', subject })).to.equal(undefined);
  });

  it('tells that the account is blocked', async () => {
    const identity = await storedIdentity(storage());
    await block(storage(), identity.userId);
    expect(await use(identity)).to.deep.include({ standing: 'inactive' });
  });
}

function unlinking(storage: () => Storage): void {
  const unlink = (user: UserId, id: IdentityId) =>
    storage().unitOfWork.run(({ identities }) => identities.unlink(user, id));

  it('removes the identity, which is a new version of the profile, and leaves the subject to others', async () => {
    const [{ id: userId }, { id: other }] = [await storedAccount(storage()), await storedAccount(storage())];
    const { id, subject } = await storedIdentity(storage(), { userId });
    const { revision } = await profileOf(storage(), userId);
    await okOf(unlink(userId, id));
    const after = await profileOf(storage(), userId);
    expect(after).to.deep.include({ connectedProviders: [], revision: revision + 1 });
    expect(await okOf(link(storage(), anIdentity({ userId: other, subject })))).to.equal(true);
  });

  it('does not find identities of others', async () => {
    const [{ id: userId }, { id: other }] = [await storedAccount(storage()), await storedAccount(storage())];
    const { id } = await storedIdentity(storage(), { userId });
    expect(await errorOf(unlink(other, id))).to.deep.equal({ type: 'IdentityNotFound' });
    expect(await identitiesOf(storage(), userId)).to.have.length(1);
  });

  it('ends the sessions that came from the provider, and no others', async () => {
    const { id: userId } = await storedAccount(storage());
    const live = [
      await storedSession(storage(), { userId, provider: undefined }),
      await storedSession(storage(), { userId, provider: 'github' }),
    ];
    await storedSession(storage(), { userId, provider: 'corp' });
    await runUnit(storage(), ({ sessions }) => sessions.endAllBy(userId, corp));
    const { items } = await readView(storage(), ({ sessions }) => sessions.list(userId, { page: 1, itemsPerPage: 10 }));
    expect(items.map(({ id }) => id)).to.have.members(live.map(({ id }) => id));
  });
}

/** Every adapter of the port must pass this unchanged. */
export const spentStatesContract = contract('SpentStates contract', (storage) => {
  const spend = (hash = aTokenHash()) => storage().unitOfWork.single(({ spentStates }) => spentStates.spend(hash));

  it('spends a state once, for as long as a flow can last', async () => {
    const hash = aTokenHash();
    await okOf(spend(hash));
    await storage().passTime(flowLifetimeSeconds - 1);
    expect(await errorOf(spend(hash))).to.include({ type: 'FlowInvalid' });
  });

  happensOnce(storage, {
    arrange: async () => aTokenHash(),
    call: ({ spentStates }, hash) => spentStates.spend(hash),
    loser: 'FlowInvalid',
  });
});

/** Every adapter of the port must pass this unchanged. */
export const unverifiedAccountsContract = contract('UnverifiedAccounts contract', (storage) => {
  const remove = (user: UserId) => runUnit(storage(), ({ unverifiedAccounts }) => unverifiedAccounts.remove(user));

  async function registered() {
    const account = anAccount();
    const { id: organization } = await runUnit(storage(), ({ accounts, organizations }) =>
      accounts.add(account).andThen(() => organizations.create({ name: anOrganizationName(), owner: account.id })),
    );
    return { account, organization };
  }

  it('deletes the account with its personal organization, and leaves the address to another', async () => {
    const { account, organization } = await registered();
    await remove(account.id);
    const gone = storage().unitOfWork.view(({ organizations }) => organizations.byId(organization));
    expect(await errorOf(gone)).to.deep.equal({ type: 'OrganizationNotFound' });
    await storedAccount(storage(), { email: account.email });
  });

  it('leaves verified and blocked accounts alone', async () => {
    const [{ userId: verified }, { account: blocked }] = [await storedOwner(storage()), await registered()];
    await block(storage(), blocked.id);
    for (const user of [verified, blocked.id]) {
      await remove(user);
      expect(await profileOf(storage(), user)).to.include({ id: user });
    }
  });

  it('waits for a verification under way, and then leaves the account alone', async () => {
    const { account } = await registered();
    const held = await hold(storage(), ({ accounts }) => accounts.lock(account.id));
    const removal = remove(account.id);
    await held.endBefore(removal, ({ accounts }) => accounts.markEmailVerified(account.id, emailKey(account.email)));
    await removal;
    expect(await profileOf(storage(), account.id)).to.include({ emailVerified: true });
  });
});
