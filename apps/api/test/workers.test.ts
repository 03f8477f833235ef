import { expect } from 'chai';
import getPort from 'get-port';
import { type ApiProcess, type Home, makeHome, startApi } from './faults/support/api-process.ts';
import { until } from './faults/support/until.ts';
import { freshDatabase } from './support/database.ts';

describe('WORKERS', function () {
  this.timeout(60_000);
  let home: Home;
  let api: ApiProcess | undefined;
  let databaseUrl: string;

  before(async () => {
    home = makeHome();
    const { url, database } = await freshDatabase();
    databaseUrl = url;
    await database.$pool.end();
  });
  afterEach(() => api?.stop());
  after(() => home.remove());

  it('share the port and the metrics; a killed process is replaced, and all exit with code 0', async () => {
    const metricsPort = await getPort({ host: '127.0.0.1' });
    const environment = { WORKERS: '2', DATABASE_URL: databaseUrl, METRICS_PORT: `${metricsPort}`, LOG_LEVEL: 'info' };
    const running = await startApi(home, environment);
    api = running;
    const figure = async (name: string): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    };
    let requests = 0;
    const ask = async () => {
      requests += 1;
      expect((await fetch(`${running.url}/healthz`, { headers: { connection: 'close' } })).status).to.equal(200);
    };
    const answered = () =>
      [...running.output().matchAll(/"pid":(\d+),.*"route":"\/healthz"/g)].map(([, pid]) => Number(pid));
    const askedOfTwo = async () => {
      const before = requests;
      await until(async () => {
        await ask();
        return new Set(answered().slice(before)).size === 2;
      });
    };

    await askedOfTwo();
    expect(await figure('workers_serving')).to.equal(2);
    const count = 'http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}';
    expect(await figure(count)).to.equal(requests);
    const [killed = 0] = answered();
    process.kill(killed, 'SIGKILL');
    await until(() => running.output().includes('serving process exited; it will be replaced'));
    await askedOfTwo();
    expect(await figure('workers_serving')).to.equal(2);
    expect(await figure('worker_replacements_total')).to.equal(1);
    expect(await running.stop()).to.equal(0);
    for (const pid of new Set(answered())) expect(() => process.kill(pid, 0), String(pid)).to.throw('ESRCH');
  });
});
