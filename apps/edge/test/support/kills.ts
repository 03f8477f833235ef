import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { type EdgeProcess, startEdgeProcess } from './edge-process.ts';
import { askAt } from './running-edge.ts';
import { applied, stage } from './stage.ts';

const zones = 12;
/** An edge asks this often while it reads, writes and reports a few changes. */
const fewRequests = 12;

/** Kills an edge the given number of times, at moments that chance decides, while its zones change. */
export function describeKills(kills: number): void {
  const { service, place } = stage();
  const revisions = new Map<string, number>();

  /** Changes one zone after another for as long as the edge asks for something. */
  function keepChanging(): void {
    let next = 0;
    service().onRequest = () => {
      next += 1;
      const id = `z${next % zones}`;
      const revision = (revisions.get(id) ?? 0) + 1;
      revisions.set(id, revision);
      service().put({ id, revision });
    };
  }

  const start = (): EdgeProcess =>
    startEdgeProcess({ SERVICE_URL: service().url, STATE_DIR: place().path, EDGE_TOKEN: service().addToken() });

  it(`serves from disk after each of ${kills} kills, and ends at the newest state`, async function () {
    // From source, each start takes seconds.
    this.timeout(180_000);
    for (let index = 0; index < zones; index += 1) service().put({ id: `z${index}` });
    service().put({ id: 'stable', revision: 9 });
    const first = start();
    await service().reported(applied(zones + 1));
    keepChanging();
    first.kill('SIGKILL');
    await first.exited;
    for (let kill = 1; kill < kills; kill += 1) {
      const edge = start();
      if (kill % 4 > 0) {
        const { port } = await edge.serving;
        expect(await askAt(port, 'stable.example')).to.deep.equal({ status: 200, revision: '9' });
      }
      // Any moment: at its start, or when it asks, writes or reports.
      const asked = service().requests.length + randomInt(fewRequests);
      await service().until(() => service().requests.length >= asked || undefined);
      edge.kill('SIGKILL');
      await edge.exited;
    }
    service().onRequest = () => undefined;
    service().put({ id: 'last' });
    const edge = start();
    await service().reported(({ position }) => position === service().position);
    const { port } = await edge.serving;
    const served = await Promise.all(
      [...revisions.keys()].map(async (id) => [id, (await askAt(port, `${id}.example`)).revision]),
    );
    expect(Object.fromEntries(served)).to.deep.equal(
      Object.fromEntries([...revisions].map(([id, revision]) => [id, String(revision)])),
    );
    edge.kill('SIGTERM');
    expect((await edge.exited).code).to.equal(0);
  });
}
