import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../src/free-port.ts';
import { openMetrics } from '../src/metrics.ts';
import { aRegistration } from './support/arrange.ts';
import { type Client, clientOf } from './support/client.ts';
import { usualLimits } from './support/config.ts';
import { openService, type TestService } from './support/service.ts';

describe('GET /metrics', function () {
  this.timeout(20_000);
  let service: TestService;
  let figures: Client;

  before(async () => {
    const metricsPort = await freePort('127.0.0.1');
    const { rateLimits } = usualLimits();
    const budgets = { ...rateLimits, register: { points: 1, seconds: 3600 } };
    service = await openService({ metricsPort, rateLimits: budgets });
    figures = clientOf(`http://127.0.0.1:${metricsPort}`);
  });
  after(() => service.close());
  const lines = async (): Promise<string> => (await figures.get('/metrics')).text;

  it('counts requests by route and status, and refusals by limit', async () => {
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

  it('says how long requests wait for budgets of rate limits, and how many points are leased', async () => {
    await clientOf(service.url).post('/api/auth/refresh', { refreshToken: 'none' });
    const text = await lines();
    expect(text).to.match(/^rate_limiter_duration_seconds_count\{operation="take"\} [1-9]/m);
    expect(text).to.include('\nrate_limit_leased_points_total 1\n');
  });

  it('says how busy connections, hashes and the outbox are', async () => {
    const text = await lines();
    expect(text).to.match(/^database_connections\{state="idle"\} [1-9]/m);
    expect(text).to.match(/^database_connections\{state="busy"\} \d+$/m);
    expect(text).to.include('\ndatabase_waiting 0\n');
    expect(text).to.include('\npassword_hashes{state="running"} 0\npassword_hashes{state="waiting"} 0\n');
    expect(text).to.match(/^outbox_mails \d+\n[^]*^outbox_oldest_seconds [\d.]+$/m);
  });

  it('has no figures of storage while the database does not answer, and all others', async () => {
    const port = await freePort('127.0.0.1');
    const storage = { figures: () => Promise.reject(new Error('away')) };
    const metrics = openMetrics({ storage, hashing: { figures: () => ({ running: 2, waiting: 7 }) } });
    const server = await metrics.serve('127.0.0.1', port);
    const { text } = await clientOf(`http://127.0.0.1:${port}`).get('/metrics');
    await server.close();
    expect(text).to.include('password_hashes{state="waiting"} 7\n');
    expect(text).to.not.match(/^(outbox|database)_\w+(\{.*\})? /m);
  });

  it('has every figure that the dashboard shows and the alerts watch', async () => {
    const text = await lines();
    const files = ['grafana-dashboard.json', 'alerts.yaml'].map((name) =>
      readFileSync(join(import.meta.dirname, '../deploy', name), 'utf8'),
    );
    const pattern = /\b(?:http|database|outbox|password|rate|log|process|nodejs)_[a-z0-9_]+/g;
    const named = [...new Set(files.flatMap((file) => file.match(pattern) ?? []))];
    expect(named.length).to.be.above(8);
    for (const name of named) expect(text, name).to.match(new RegExp(`^${name}[ {]`, 'm'));
  });
});
