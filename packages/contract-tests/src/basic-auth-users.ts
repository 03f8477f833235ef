import { expect } from 'chai';
import { storedZone } from './arrangements.ts';
import { aBasicAuthUserId, aZoneId } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { seen } from './results.ts';
import type { OpenStorage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function basicAuthUsersContract(adapter: string, open: OpenStorage): void {
  describe(`BasicAuthUsers contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    it('tells the ids of all users of the zone and of no other', async () => {
      const [first, second] = [await storedZone(storage()), await storedZone(storage())];
      const [ada, grace, alan] = [aBasicAuthUserId(), aBasicAuthUserId(), aBasicAuthUserId()];
      await storage().addBasicAuthUser(first.zone.id, ada);
      await storage().addBasicAuthUser(first.zone.id, grace);
      await storage().addBasicAuthUser(second.zone.id, alan);
      const ids = await seen(storage(), ({ basicAuthUsers }) => basicAuthUsers.idsIn(first.zone.id));
      expect(ids).to.deep.equal(new Set([ada, grace]));
    });

    it('knows none in a zone without users, and none in a zone that is not there', async () => {
      const { zone } = await storedZone(storage());
      for (const id of [zone.id, aZoneId()]) {
        expect(await seen(storage(), ({ basicAuthUsers }) => basicAuthUsers.idsIn(id))).to.deep.equal(new Set());
      }
    });
  });
}
