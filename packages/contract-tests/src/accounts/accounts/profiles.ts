import { PersonName, ProviderId } from '@zonewright/core';
import { expect } from 'chai';
import {
  block,
  enforceTwoFactor,
  storedAccount,
  storedIdentity,
  storedOwner,
  storedSecondFactor,
} from '../../arrangements/index.ts';
import { aUserId } from '../../builders/index.ts';
import { errorOf, readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** Changes of a profile. */
export function profileChange(storage: () => Storage): void {
  const settings = { firstName: PersonName.parse('Grace'), lastName: PersonName.parse('Hopper') };

  it('changes both names and the version, and returns the new profile', async () => {
    const { id } = await storedAccount(storage());
    const other = await storedAccount(storage());
    const before = await readView(storage(), ({ accounts }) => accounts.profile(id));
    await storage().passTime(5);
    const saved = await runUnit(storage(), ({ accounts }) => accounts.saveProfile(id, settings));
    const { createdAt, updatedAt, ...rest } = saved;
    const { createdAt: _, updatedAt: __, ...old } = before;
    expect(rest).to.deep.equal({ ...old, ...settings, revision: before.revision + 1 });
    expect(updatedAt > createdAt).to.equal(true);
    expect(await readView(storage(), ({ accounts }) => accounts.profile(id))).to.deep.equal(saved);
    expect(await readView(storage(), ({ accounts }) => accounts.profile(other.id))).to.include({ firstName: 'Ada' });
  });

  it('keeps the credentials', async () => {
    const { id } = await storedAccount(storage());
    const before = await readView(storage(), ({ accounts }) => accounts.facts(id));
    await runUnit(storage(), ({ accounts }) => accounts.saveProfile(id, settings));
    expect(await readView(storage(), ({ accounts }) => accounts.facts(id))).to.deep.equal(before);
  });

  it('does not find an account that does not exist', async () => {
    const saved = storage().unitOfWork.run(({ accounts }) => accounts.saveProfile(aUserId(), settings));
    expect(await errorOf(saved)).to.deep.equal({ type: 'AccountNotFound' });
  });
}

/** What a profile shows. */
export function profile(storage: () => Storage): void {
  it('reports whether there is a second factor, and whether an organization requires one', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const flags = async () => {
      const { twoFactorEnabled, twoFactorEnforced } = await profileOf(userId);
      return { twoFactorEnabled, twoFactorEnforced };
    };
    await enforceTwoFactor(storage(), organizationId);
    expect(await flags()).to.deep.equal({ twoFactorEnabled: false, twoFactorEnforced: true });
    await storedSecondFactor(storage(), userId);
    expect(await flags()).to.deep.equal({ twoFactorEnabled: true, twoFactorEnforced: true });
    await enforceTwoFactor(storage(), organizationId, false);
    expect(await flags()).to.deep.equal({ twoFactorEnabled: true, twoFactorEnforced: false });
  });

  const profileOf = (id: ReturnType<typeof aUserId>) => readView(storage(), ({ accounts }) => accounts.profile(id));

  it('does not find an account that does not exist', async () => {
    const read = storage().unitOfWork.view(({ accounts }) => accounts.profile(aUserId()));
    expect(await errorOf(read)).to.deep.equal({ type: 'AccountNotFound' });
  });

  it('lists the linked providers, sorted', async () => {
    const { id } = await storedAccount(storage());
    for (const provider of ['microsoft', 'github', 'google'])
      await storedIdentity(storage(), { userId: id, provider: ProviderId.parse(provider) });
    expect((await profileOf(id)).connectedProviders).to.deep.equal(['github', 'google', 'microsoft']);
  });

  it('reports whether there is a password and whether the account is active', async () => {
    const { id } = await storedAccount(storage());
    await storage().forgetPassword(id);
    await block(storage(), id);
    expect(await profileOf(id)).to.include({ hasPassword: false, active: false, emailVerified: true });
  });
}
