import { expect } from 'chai';
import { storedCredential, storedOwner } from '../arrangements/index.ts';
import { okOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';
import { openSession } from './member.ts';

/** A profile, read with the caller. */
export function profiles(storage: () => Storage): void {
  for (const kind of ['session', 'apiToken'] as const) {
    it(`is that of the account, with a ${kind}`, async () => {
      const { userId } = await storedOwner(storage());
      const other = await storedOwner(storage());
      const credential = await storedCredential(storage(), kind, userId);
      for (const user of [userId, other.userId]) {
        const { session } = await openSession(storage(), credential, { kind: 'profile' });
        const expected = await readView(storage(), ({ accounts }) => accounts.profile(user));
        for (let times = 0; times < 2; times += 1) {
          expect(await okOf(session.view(({ accounts }) => accounts.profile(user)))).to.deep.equal(expected);
        }
      }
    });
  }
}
