import { type PlausibleCredential, type Subject, unauthenticated } from '@zonewright/core';
import { expect } from 'chai';
import { block, storedCredential, storedOwner, storedSession } from '../arrangements/index.ts';
import { aSessionId, aTokenHash, wholeList } from '../builders/index.ts';
import { errorOf, okOf, readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';
import { corp, credentials, storedMemberOfMany } from './member.ts';

/** Whom a request is from, read together with what it is about. */
export function callers(storage: () => Storage, subject: Subject | undefined): void {
  const read = (credential: PlausibleCredential) => storage().unitOfWork.session(credential, subject).caller();

  for (const [who, kind, limited] of credentials) {
    it(`has all memberships that ${who} grants`, async () => {
      const { userId, own, shared, demanding, corporate } = await storedMemberOfMany(storage());
      const credential = await storedCredential(storage(), kind, userId, limited ? [shared] : []);
      for (let times = 0; times < 2; times += 1) {
        const { memberships, ...caller } = await okOf(read(credential));
        expect(caller.userId).to.equal(userId);
        const all = [
          [own, { role: 'owner', needsTwoFactor: false }],
          [shared, { role: 'viewer', needsTwoFactor: false }],
          [demanding, { role: 'editor', needsTwoFactor: true }],
          [corporate, { role: 'admin', needsTwoFactor: false, requiredProvider: corp }],
        ] as const;
        expect([...memberships]).to.have.deep.members(all.filter(([id]) => !limited || id === shared));
      }
    });
  }

  for (const kind of ['session', 'apiToken'] as const) {
    it(`is refused with an invalid ${kind}`, async () => {
      const { userId } = await storedOwner(storage());
      const unknown: PlausibleCredential =
        kind === 'session' ? { kind, userId, sessionId: aSessionId() } : { kind, hash: aTokenHash() };
      expect(await errorOf(read(unknown))).to.deep.equal(unauthenticated());
    });

    it(`is refused with the ${kind} of a blocked account`, async () => {
      const { userId } = await storedOwner(storage());
      const credential = await storedCredential(storage(), kind, userId);
      await okOf(read(credential));
      await block(storage(), userId);
      expect(await errorOf(read(credential))).to.deep.equal(unauthenticated());
    });
  }

  it('is refused with an ended session, or one of another user', async () => {
    const [ada, grace] = [await storedOwner(storage()), await storedOwner(storage())];
    const session = await storedSession(storage(), { userId: ada.userId });
    expect(await errorOf(read({ kind: 'session', ...session, userId: grace.userId }))).to.deep.equal(unauthenticated());
    await runUnit(storage(), ({ sessions }) => sessions.end(session));
    expect(await errorOf(read({ kind: 'session', ...session }))).to.deep.equal(unauthenticated());
  });

  it('has the use of an API token recorded', async () => {
    const { userId } = await storedOwner(storage());
    const credential = await storedCredential(storage(), 'apiToken', userId);
    const lastUsed = async () =>
      (await readView(storage(), ({ apiTokens }) => apiTokens.list(userId, wholeList))).items[0]?.lastUsedAt;
    expect(await lastUsed()).to.equal(undefined);
    await okOf(read(credential));
    expect(await lastUsed()).to.be.instanceOf(Date);
  });
}
