import { expect } from 'chai';
import getPort from 'get-port';
import { until } from './faults/support/until.ts';
import { aRule, aVerifiedUser, aZone, rulesOf, type User } from './support/arrange.ts';
import { clientOf } from './support/client.ts';
import { freshDatabase } from './support/database.ts';
import { openService, openTwin, type TestService } from './support/service.ts';
import { revisionsOf } from './support/zone-contents.ts';

/** Statements that read zone contents, current or historical. */
const bodies = /^(?:zones\/(?:read|whole)|history\/trail$|history\/trail\.)/;

describe('DATABASE_READ_URL', function () {
  this.timeout(30_000);
  let service: TestService;
  let ada: User;

  before(async () => {
    service = await openService();
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  /**
   * Reads through an instance with an empty cache; returns its statements to the primary and the outcomes of standby
   * reads.
   */
  async function readWith(databaseReadUrl: string, isUp: boolean) {
    const metricsPort = await getPort({ host: '127.0.0.1' });
    const sent: string[] = [];
    const onStatement = ({ name = '' }: { readonly name?: string }) => void sent.push(name);
    const twin = await openTwin(service, { databaseReadUrl, metricsPort }, { onStatement });
    try {
      const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      await until(async () => (await figures()).includes(`standby_up ${isUp ? 1 : 0}\n`));
      const zone = await aZone(ada);
      await aRule(ada, zone);
      const reader = clientOf(twin.url, { authorization: `Bearer ${ada.token}` });
      for (const path of ['/api/zones', `/api/zones/${zone.id}`, rulesOf(zone), `${revisionsOf(zone)}/2`]) {
        const [expected, reply] = [await ada.get(path), await reader.get(path)];
        expect(reply.status, path).to.equal(200);
        expect(reply.text, path).to.equal(expected.text);
      }
      const outcomes = [...(await figures()).matchAll(/^standby_reads_total\{outcome="(\w+)"\} ([1-9]\d*)$/gm)];
      return {
        bodies: sent.filter((name) => bodies.test(name)).length,
        outcomes: outcomes.map(([, outcome]) => outcome),
      };
    } finally {
      await twin.close();
    }
  }

  it('reads bodies from a standby that has them, and only their names from the primary', async () => {
    expect(await readWith(service.databaseUrl, true)).to.deep.equal({ bodies: 0, outcomes: ['answered'] });
  });

  it('reads from the primary if the other server does not follow it', async () => {
    const { url, database } = await freshDatabase();
    const { bodies, outcomes } = await readWith(url, false);
    expect(bodies).to.be.above(2);
    expect(outcomes).to.deep.equal(['skipped']);
    await database.$pool.end();
  });

  it('reads from the primary while the standby is unavailable', async () => {
    const { bodies, outcomes } = await readWith('postgres://nobody@127.0.0.1:1/none', false);
    expect(bodies).to.be.above(2);
    expect(outcomes).to.deep.equal(['skipped']);
  });
});
