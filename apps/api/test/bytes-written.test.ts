import { expect } from 'chai';
import { expensiveRules, largePages } from './abuse/largest-zone.ts';
import { aVerifiedUser, aZone, type User } from './support/arrange.ts';
import type { Reply } from './support/client.ts';
import { openService, type TestService } from './support/service.ts';
import { listOf, orderedLists } from './support/zone-contents.ts';

const requests = 10;
/** On average, with indexes, and with the old rows that only a vacuum removes: the test's database never does. */
const mostBytes = 4096;

/** A part of all rules is enough: what they have in common is their size. */
const rulesPerList = 12;

describe('A request without content', function () {
  this.timeout(60_000);
  let service: TestService;
  let ada: User;
  let zone: { readonly id: string };

  before(async () => {
    service = await openService();
    ada = await aVerifiedUser(service);
    zone = await aZone(ada);
    const path = `/api/zones/${zone.id}`;
    await done(ada.patch(path, { zone_settings: largePages(1) }));
    for (const list of orderedLists)
      await done(
        ada.send('PUT', listOf(zone, list), {
          headers: { accept: 'application/json', 'content-type': 'application/json', 'if-match': '*' },
          body: JSON.stringify(expensiveRules(list, rulesPerList)),
        }),
      );
  });
  after(() => service.close());

  const done = async (reply: Promise<Reply>) => {
    const { status, text } = await reply;
    expect(status, text.slice(0, 500)).to.be.within(200, 204);
    return text;
  };

  /** Of all tables with their indexes. */
  const storedBytes = async () => {
    const { bytes } = await service.database.one<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
       WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace`,
    );
    return Number(bytes);
  };
  const path = () => `/api/zones/${zone.id}`;
  const revision = async () =>
    (await service.database.one<{ revision: number }>('SELECT revision FROM zones WHERE id = $1', [zone.id])).revision;

  /** On average of `count` requests, in pages of 8 KB; numbers are even and odd in turn. */
  async function growthBy(send: (number: number) => Promise<Reply>, count = requests) {
    // What is written out of line only when it is next written.
    for (const number of [0, 1]) await done(send(number));
    const before = await storedBytes();
    for (let number = 0; number < count; number += 1) await done(send(number));
    return ((await storedBytes()) - before) / count;
  }

  it('that changes nothing writes nothing', async () => {
    expect(await growthBy(() => ada.patch(path(), {}))).to.equal(0);
    expect(await growthBy(() => ada.patch(path(), { zone_settings: largePages(1) }))).to.equal(0);
  });

  it('that rotates the ban token writes less than 4 KB', async () => {
    expect(await growthBy(() => ada.post(`${path()}/ban-token`))).to.be.below(mostBytes);
  });

  for (const list of orderedLists)
    it(`that moves one of the ${list} writes less than 4 KB`, async () => {
      const rules = JSON.parse(await done(ada.get(listOf(zone, list), { accept: 'application/json' })));
      const move = `${listOf(zone, list)}/${(rules as readonly { readonly id: string }[])[3]?.id}/move`;
      // Pages are few and large for so little: more requests make one more of them matter less.
      const growth = await growthBy((number) => ada.post(move, { position: 1 + (number % 2) * 10 }), 5 * requests);
      expect(growth).to.be.below(mostBytes);
    });

  it('that deletes the zone, and one that undeletes it, write less than 4 KB', async () => {
    const restored = () => `/api/organizations/${ada.organization}/deleted-zones/${zone.id}/restore`;
    const growth = await growthBy(
      (number) => (number % 2 === 0 ? ada.delete(path()) : ada.post(restored())),
      4 * requests,
    );
    expect(growth).to.be.below(mostBytes);
  });

  it('that restores a state with the same texts writes less than 4 KB', async () => {
    await done(ada.patch(path(), { tag: 'dev' }));
    const restored = `${path()}/revisions/${(await revision()) - 1}/restore`;
    expect(await growthBy(() => ada.post(restored))).to.be.below(mostBytes);
  });
});
