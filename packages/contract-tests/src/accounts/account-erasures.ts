import type { OrganizationId, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { added as addedSet } from '../arrangements/change-sets.ts';
import {
  addRules,
  storedAccount,
  storedCredential,
  storedMember,
  storedOwner,
  storedPasskey,
  storedSecondFactor,
  storedZone,
} from '../arrangements/index.ts';
import { anOrganizationName, aRule, aUserId } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';

/** Every adapter of the port must pass this unchanged. */
export const accountErasuresContract = contract('AccountErasures contract', (storage) => {
  const owned = (user: UserId) => runUnit(storage(), ({ accountErasures }) => accountErasures.lockSolelyOwned(user));
  const erase = (user: UserId) =>
    runUnit(storage(), ({ accountErasures }) =>
      accountErasures.lockSolelyOwned(user).andThen(() => accountErasures.erase(user)),
    );
  const setRole = (organization: OrganizationId, user: UserId) =>
    runUnit(storage(), ({ organizations, members }) =>
      organizations.lock(organization).andThen(() => members.setRole(organization, user, 'owner')),
    );

  it('tells in which organizations nobody else is an owner, with their members and zones', async () => {
    const { zone, userId, organizationId } = await storedZone(storage());
    const member = await storedMember(storage(), organizationId, 'admin');
    const { id: empty, name } = await runUnit(storage(), ({ organizations }) =>
      organizations.create({ name: anOrganizationName(), owner: userId }),
    );
    expect((await owned(userId)).map(({ name: _, ...facts }) => facts)).to.deep.equal([
      { id: zone.organizationId, others: 1, zones: 1 },
      { id: empty, others: 0, zones: 0 },
    ]);
    expect(await owned(member.userId)).to.deep.equal([]);
    await setRole(organizationId, member.userId);
    expect(await owned(userId)).to.deep.equal([{ id: empty, name, others: 0, zones: 0 }]);
    const missing = storage().unitOfWork.run(({ accountErasures }) => accountErasures.lockSolelyOwned(aUserId()));
    expect(await errorOf(missing)).to.deep.equal({ type: 'AccountNotFound' });
  });

  it('removes the account with all that belongs to it, and leaves the address to another', async () => {
    const account = await storedAccount(storage());
    const { id: organization } = await runUnit(storage(), ({ organizations }) =>
      organizations.create({ name: anOrganizationName(), owner: account.id }),
    );
    for (const kind of ['session', 'apiToken'] as const) await storedCredential(storage(), kind, account.id);
    await storedSecondFactor(storage(), account.id);
    await storedPasskey(storage(), { userId: account.id });
    await erase(account.id);
    const { unitOfWork } = storage();
    expect(await errorOf(unitOfWork.view(({ accounts }) => accounts.profile(account.id)))).to.deep.equal({
      type: 'AccountNotFound',
    });
    expect(await errorOf(unitOfWork.view(({ organizations }) => organizations.byId(organization)))).to.deep.equal({
      type: 'OrganizationNotFound',
    });
    await storedAccount(storage(), { email: account.email });
  });

  it('leaves what the person has made in the organizations of others, without an author', async () => {
    const owner = await storedOwner(storage());
    const author = await storedMember(storage(), owner.organizationId, 'admin');
    const owned = await storedZone(storage(), { owner, createdBy: author.userId });
    const [zoneId, list] = [owned.zone.id, { zone: owned.zone.id, kind: 'configurationRule' } as const];
    await addRules(storage(), list, [aRule('configurationRule')]);
    const set = await okOf(addedSet(storage(), { ...owned, userId: author.userId }));
    await erase(author.userId);
    const page = { page: 1, itemsPerPage: 10 };
    const { items: revisions } = await readView(storage(), ({ history }) => history.list(zoneId, page));
    const { zone } = await readView(storage(), ({ zones }) => zones.state(zoneId));
    const { createdBy } = await readView(storage(), ({ changeSets }) => changeSets.byId(zoneId, set.id));
    expect([...revisions.map(({ author: by }) => by), zone.createdBy, createdBy]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    const { items: members } = await readView(storage(), ({ members: all }) => all.list(owner.organizationId, page));
    expect(members.map(({ user }) => user)).to.deep.equal([owner.userId]);
  });

  it('waits for a unit that has locked an organization, and then tells of its new owner', async () => {
    const { userId, organizationId } = await storedOwner(storage());
    const member = await storedMember(storage(), organizationId, 'admin');
    const held = await hold(storage(), ({ organizations }) => organizations.lock(organizationId));
    const erasing = storage().unitOfWork.run(({ accountErasures }) => accountErasures.lockSolelyOwned(userId));
    await held.endBefore(erasing, ({ members }) => members.setRole(organizationId, member.userId, 'owner'));
    expect(await okOf(erasing)).to.deep.equal([]);
  });
});
