import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startEdgeProcess } from './support/edge-process.ts';
import { askAt } from './support/running-edge.ts';
import { applied, stage } from './support/stage.ts';

describe('an edge of several processes', () => {
  const { service, place } = stage();

  it('serves the same zones from each, after every change, and replaces one that is killed', async function () {
    // From source, each process takes seconds to start.
    this.timeout(60_000);
    service().put({ id: 'a' });
    const env = { SERVICE_URL: service().url, STATE_DIR: place().path, EDGE_TOKEN: service().addToken(), WORKERS: '2' };
    const edge = startEdgeProcess(env);
    const { port, privatePort } = await edge.serving;
    await service().reported(applied(1));
    const revisions = async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => askAt(port, 'a.example')));
      return [...new Set(answers.map(({ status, revision }) => `${status} ${revision}`))];
    };
    for (const revision of [2, 3]) {
      service().put({ id: 'a', revision });
      await service().reported(({ position }) => position === service().position);
      expect(await revisions()).to.deep.equal([`200 ${revision}`]);
    }
    const metrics = await (await fetch(`http://127.0.0.1:${privatePort}/metrics`)).text();
    expect(metrics).to.match(/^edge_zones_served 1$/m);
    expect(metrics).to.match(/^edge_request_duration_seconds_count\{disposition="redirect",status="3xx"\} 16$/m);
    const [killed = 0] = edge.children();
    process.kill(killed, 'SIGKILL');
    const isReplaced = () => edge.children().length === 2 && !edge.children().includes(killed);
    service().put({ id: 'a', revision: 4 });
    await service().reported(({ position }) => position === service().position);
    // What the killed process had just been given is lost, and the other one may just be starting.
    const isServing = async () => (await revisions().catch(() => [])).join() === '200 4';
    while (!isReplaced() || !(await isServing())) await pause(20);
    edge.kill('SIGTERM');
    expect(await edge.exited).to.deep.include({ code: 0, errors: '' });
  });
});
