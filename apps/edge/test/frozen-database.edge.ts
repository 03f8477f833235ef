import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { PostgresUnitOfWork } from '../../../packages/postgres/src/index.ts';
import { testBoxes } from '../../../packages/postgres/test/support/postgres-storage.ts';
import { aVerifiedUser, aZone } from '../../api/test/support/arrange.ts';
import { openCuttableLink } from '../../api/test/support/cuttable-link.ts';
import { freshDatabase } from '../../api/test/support/database.ts';
import { anEnrolledEdge } from '../../api/test/support/edges.ts';
import { openService } from '../../api/test/support/service.ts';
import { aStatePlace, startTestEdge } from './support/running-edge.ts';

describe('an edge of a service whose database is frozen', () => {
  it('serves its zones as they were, and the newest ones when the database answers again', async function () {
    this.timeout(120_000);
    const { url: direct, database } = await freshDatabase();
    const link = await openCuttableLink(direct);
    const hostNameRules = { own: undefined, verification: 'off' } as const;
    const service = await openService({ databaseUrl: link.url, hostNameRules });
    const ada = await aVerifiedUser({ ...service, database });
    const { id } = await aZone(ada, { hostnames: ['shop.example.com'] });
    const unitOfWork = new PostgresUnitOfWork(database, testBoxes());
    const { key } = await anEnrolledEdge({ url: service.url, unitOfWork });
    const place = aStatePlace();
    const edge = await startTestEdge({ url: service.url, addKey: () => key }, place, {}, { answerTimeout: 1000 });
    const status = async () => (await edge.ask('shop.example.com')).status;
    // The zone has no backend.
    while ((await status()) !== 502) await pause(20);
    link.freeze();
    while (!edge.lines.some(({ msg }) => msg.includes('the service cannot be reached'))) {
      expect(await status()).to.equal(502);
      await pause(50);
    }
    link.thaw();
    const settings = { zone_settings: { customPagesMaintenanceActive: true } };
    expect((await ada.patch(`/api/zones/${id}`, settings)).status).to.equal(200);
    while ((await status()) !== 503) await pause(20);
    await edge.close();
    place.clean();
    await service.close();
    await link.cut();
    await database.$pool.end();
  });
});
