import { expect } from 'chai';
import { storedHost } from '../arrangements/edges.ts';
import { storedBasicAuthUser } from '../arrangements/index.ts';
import { contract } from '../fresh-storage.ts';
import { readView } from '../results.ts';

/** Every adapter of the port must pass this unchanged. */
export const zoneCredentialsContract = contract('ZoneCredentials contract', (storage) => {
  it('has the hashes of all users of a zone', async () => {
    const [{ zone }, other] = [await storedHost(storage()), await storedHost(storage())];
    const user = await storedBasicAuthUser(storage(), zone.id);
    await storedBasicAuthUser(storage(), other.zone.id);
    const hashes = await readView(storage(), ({ zoneCredentials }) => zoneCredentials.hashes(zone.id));
    expect([...hashes]).to.deep.equal([[user.id, await storage().basicAuthHash(user.id)]]);
  });
});
