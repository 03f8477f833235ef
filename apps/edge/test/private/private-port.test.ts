import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { requestMetrics } from '../../src/private/metrics.ts';
import { applied, stage } from '../support/stage.ts';

describe('the private port', () => {
  const { service, start } = stage();

  it('says for which host names the edge answers', async () => {
    service().put({ id: 'a', hostnames: ['www.example.com', '*.example.org'] });
    const { private: get } = await start();
    await service().reported(applied(1));
    const paths = [
      '/hostnames/www.example.com',
      '/hostnames/WWW.Example.com.',
      '/hostnames?domain=shop.example.org',
      '/hostnames/example.org',
      '/hostnames?domain=a%20b',
      '/hostnames?domain=',
      '/hostnames',
      '/hostnames/',
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status));
    expect(statuses).to.deep.equal([200, 200, 200, 404, 404, 404, 404, 404]);
  });

  it('has metrics', async () => {
    service().put({ id: 'a' });
    const { private: get, ask } = await start();
    await service().reported(applied(1));
    await ask('a.example');
    const { text } = await get('/metrics');
    expect(text.match(/^edge_zones_\w+ .*$/gm)).to.deep.equal([
      'edge_zones_served 1',
      'edge_zones_rejected 0',
      'edge_zones_compiled 1',
    ]);
    expect(text).to.match(/^edge_request_duration_seconds_count\{disposition="redirect",status="3xx"\} 1$/m);
    expect(text).to.match(/^edge_feed_age_seconds 0\.\d+$/m);
  });

  it('has every metric of edges that the dashboard and the alerts use', async () => {
    const { private: get, ask } = await start();
    await ask('a.example');
    const { text } = await get('/metrics');
    const files = ['grafana-dashboard.json', 'alerts.yaml'].map((name) =>
      readFileSync(join(import.meta.dirname, '../../../api/deploy', name), 'utf8'),
    );
    const named = new Set(files.flatMap((file) => file.match(/\bedge_[a-z_]+/g) ?? []));
    expect(named.size).to.be.above(3);
    for (const name of named) expect(text, name).to.match(new RegExp(`^${name}[ {]`, 'm'));
  });

  it('counts how work on images and pages ended', async () => {
    const registry = new Registry();
    const measure = requestMetrics(registry, () => 0);
    const request = { disposition: 'serve', status: 200, complete: true, milliseconds: 1 };
    for (const transformation of ['made', 'killed', 'made']) measure({ ...request, transformation });
    measure(request);
    const lines = (await registry.metrics()).match(/^edge_transformations_total.*$/gm);
    expect(lines).to.deep.equal([
      'edge_transformations_total{outcome="made"} 2',
      'edge_transformations_total{outcome="killed"} 1',
    ]);
  });

  it('answers nothing else', async () => {
    const { private: get, privatePort } = await start();
    const post = await fetch(`http://127.0.0.1:${privatePort}/healthz`, { method: 'POST' });
    expect([(await get('/')).status, (await get('//evil.example/healthz')).status, post.status]).to.deep.equal([
      404, 404, 405,
    ]);
  });
});
