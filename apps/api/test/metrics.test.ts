import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import getPort from 'get-port';
import type { MeasuredStorage } from '../src/observability/gauges.ts';
import { openMetrics } from '../src/observability/metrics.ts';
import { aRegistration } from './support/arrange.ts';
import { type Client, clientOf } from './support/client.ts';
import { defaultLimits } from './support/config.ts';
import { openService, type TestService } from './support/service.ts';

/** The metrics of a service with this storage. */
async function textOf(storage: Partial<MeasuredStorage>): Promise<string> {
  const port = await getPort({ host: '127.0.0.1' });
  const metrics = openMetrics({
    storage: {
      pool: () => ({ connections: 4, idle: 1, waiting: 5 }),
      outbox: () => Promise.resolve({ mails: 0, oldestSeconds: 0 }),
      failedCleanUps: () => new Map([['sessions', 3]]),
      ...storage,
    },
    hashing: { stats: () => ({ running: 2, waiting: 7 }) },
  });
  const server = await metrics.serve('127.0.0.1', port);
  const { text } = await clientOf(`http://127.0.0.1:${port}`).get('/metrics');
  await server.close();
  return text;
}

describe('GET /metrics', function () {
  this.timeout(20_000);
  let service: TestService;
  let metricsClient: Client;

  before(async () => {
    const metricsPort = await getPort({ host: '127.0.0.1' });
    const { rateLimits } = defaultLimits();
    const budgets = { ...rateLimits, register: { points: 1, seconds: 3600 } };
    service = await openService({ metricsPort, rateLimits: budgets });
    metricsClient = clientOf(`http://127.0.0.1:${metricsPort}`);
  });
  after(() => service.close());
  const lines = async (): Promise<string> => (await metricsClient.get('/metrics')).text;

  it('counts requests by route and status, and rejections by limit', async () => {
    const api = clientOf(service.url);
    for (const status of [201, 429, 429]) {
      expect((await api.post('/api/auth/register', aRegistration())).status).to.equal(status);
    }
    const text = await lines();
    expect(text).to.include('rate_limited_requests_total{limit="register"} 2\n');
    expect(text).to.include(
      'http_request_duration_seconds_count{method="POST",route="/api/auth/register",status="429"} 2\n',
    );
  });

  it('reports how long requests wait for rate limit statements, and how many points are leased', async () => {
    await clientOf(service.url).post('/api/auth/refresh', { refreshToken: 'none' });
    const text = await lines();
    expect(text).to.match(/^rate_limiter_duration_seconds_count\{operation="take"\} [1-9]/m);
    expect(text).to.include('\nrate_limit_leased_points_total 1\n');
  });

  it('reports how busy connections, hashes and the outbox are', async () => {
    const text = await lines();
    expect(text).to.match(/^database_connections\{state="idle"\} [1-9]/m);
    expect(text).to.match(/^database_connections\{state="busy"\} \d+$/m);
    expect(text).to.include('\ndatabase_waiting 0\n');
    expect(text).to.include('\npassword_hashes{state="running"} 0\npassword_hashes{state="waiting"} 0\n');
    expect(text).to.match(/^outbox_mails \d+\n[^]*^outbox_oldest_seconds [\d.]+$/m);
  });

  it('omits metrics of the outbox while unknown, and reports all others', async () => {
    const away = () => Promise.reject(new Error('away'));
    const text = await textOf({ outbox: away });
    expect(text).to.include('password_hashes{state="waiting"} 7\n');
    expect(text).to.include('database_connections{state="idle"} 1\ndatabase_connections{state="busy"} 3\n');
    expect(text).to.include('\ndatabase_waiting 5\n');
    expect(text).to.not.match(/^outbox_\w+ /m);
  });

  it('has every metric used by the dashboard and the alerts', async () => {
    const text = await lines();
    const files = ['grafana-dashboard.json', 'alerts.yaml'].map((name) =>
      readFileSync(join(import.meta.dirname, '../deploy', name), 'utf8'),
    );
    const pattern = /\b(?:http|database|outbox|password|rate|log|process|nodejs|workers)_[a-z0-9_]+/g;
    const named = [...new Set(files.flatMap((file) => file.match(pattern) ?? []))];
    expect(named.length).to.be.above(8);
    for (const name of named) expect(text, name).to.match(new RegExp(`^${name}[ {]`, 'm'));
  });
});
