import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '@zonewright/postgres';
import { expect } from 'chai';
import getPort from 'get-port';
import { ensurePackages } from '../databases/support/debian.ts';
import { PostgresServer } from '../endurance/postgres-server.ts';
import { type ApiProcess, type Home, makeHome, startApi } from '../faults/support/api-process.ts';
import { type FaultyMailbox, openFaultyMailbox } from '../faults/support/faulty-mailbox.ts';
import { type EvaluatedPanel, screenshotOf } from './picture.ts';
import { checkRules, Prometheus, type Range, type Series } from './prometheus.ts';
import { alertsFile, type Panel, shippedDashboard } from './shipped-files.ts';
import { openCrowd } from './visitors.ts';

const minutes = Number(process.env['MINUTES'] ?? 10);
const pictureFile = process.env['PICTURE'] ?? join(import.meta.dirname, '../../../../docs/images/dashboard.png');
const stepSeconds = 5;

/**
 * Run by `pnpm test dashboard`, as root on Debian: a real Prometheus scrapes two instances and many
 * kinds of visitors. Evaluates every query of the dashboard, none of which may be empty, and draws the results.
 */
describe(`The dashboard after ${minutes} minutes of load`, function () {
  this.timeout((minutes + 3) * 60_000);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-dashboard-'));
  let server: PostgresServer;
  let mails: FaultyMailbox;
  let home: Home;
  let instances: readonly ApiProcess[];
  let database: Database;
  let prometheus: Prometheus;
  let range: Range;

  before(async () => {
    ensurePackages({
      prometheus: '/usr/bin/promtool',
      chromium: '/usr/bin/chromium',
      postgresql: '/usr/lib/postgresql',
      pngquant: '/usr/bin/pngquant',
    });
    // The servers' user needs access to the folder.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'server'));
    server = await PostgresServer.create(join(folder, 'server'));
    await server.start();
    mails = await openFaultyMailbox();
    home = makeHome();
    const ports = [await getPort({ host: '127.0.0.1' }), await getPort({ host: '127.0.0.1' })];
    const started: ApiProcess[] = [];
    // One after the other, because the first creates the keys.
    for (const port of ports) started.push(await startInstance(port));
    instances = started;
    database = openDatabase({ url: server.url, connections: 2 });
    const targets = Object.fromEntries(ports.map((port, index) => [`api-${index + 1}`, `127.0.0.1:${port}`]));
    prometheus = await Prometheus.start(join(folder, 'prometheus'), targets, alertsFile);
    range = await loadFor(minutes * 60);
  });
  after(async () => {
    await prometheus.end();
    await Promise.all(instances.map((instance) => instance.stop()));
    await Promise.all([database.$pool.end(), mails.close()]);
    await server.kill();
    home.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const startInstance = (metricsPort: number): Promise<ApiProcess> =>
    startApi(home, {
      DATABASE_URL: server.url,
      SMTP_URL: mails.url,
      METRICS_PORT: String(metricsPort),
      // Visitors have their own networks, so the default limits apply.
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_SCALE: '1',
      LOG_LEVEL: 'warn',
    });

  /** Events at fractions of the duration, so that the panels show more than a steady state. */
  const events: readonly (readonly [at: number, happen: () => unknown])[] = [
    [0.3, () => mails.become('down')],
    [0.42, () => mails.become('working')],
  ];

  async function loadFor(seconds: number): Promise<Range> {
    const { visit, rush } = await openCrowd({ urls: instances.map(({ url }) => url), database });
    const stop = new AbortController();
    const start = Math.ceil(Date.now() / 1000);
    const work = visit(stop.signal);
    const timeline = [[0.15, () => rush(seconds * 0.03)], ...events, [1, () => stop.abort()]] as const;
    for (const [at, happen] of timeline) {
      await Promise.race([pause((start + at * seconds) * 1000 - Date.now()), work]);
      await happen();
    }
    await work;
    return { start, end: start + seconds, step: stepSeconds };
  }

  async function evaluated(panel: Panel): Promise<EvaluatedPanel> {
    const lines = await Promise.all(
      panel.targets.map(async ({ expr, legendFormat }) => {
        const series = (await prometheus.range(expr, range)).filter(hasNumbers);
        expect(series, `${panel.title}: ${expr}`).to.not.have.length(0);
        return series.map(({ metric, values }) => ({ name: nameOf(legendFormat, metric), values }));
      }),
    );
    return { panel, lines: lines.flat() };
  }

  it('has no empty panel; draws the picture for the documentation', async () => {
    const { panels: shipped, headings } = shippedDashboard();
    const panels = await Promise.all(shipped.map(evaluated));
    mkdirSync(dirname(pictureFile), { recursive: true });
    // A reduced palette is sufficient, at a third of the size.
    const picture = execFileSync('pngquant', ['-'], { input: await screenshotOf({ headings, panels, range }) });
    writeFileSync(pictureFile, picture);
    process.stdout.write(`${pictureFile}: ${panels.length} panels, ${Math.round(picture.length / 1024)} KiB\n`);
  });

  it('comes with alerting rules that Prometheus accepts and evaluates', async () => {
    expect(checkRules(alertsFile)).to.match(/SUCCESS: \d+ rules found/);
    const rules = await prometheus.rules();
    expect(rules.filter(({ health }) => health !== 'ok')).to.deep.equal([]);
    const active = rules.filter(({ state }) => state !== 'inactive').map(({ name, state }) => `${name} ${state}`);
    process.stdout.write(`${rules.length} rules, active: ${active.join(', ') || 'none'}\n`);
  });

  it('had no server errors', async () => {
    const serverErrors = 'sum by (route, status) (http_request_duration_seconds_count{status=~"5.."})';
    expect(await prometheus.range(serverErrors, range)).to.deep.equal([]);
  });
});

const hasNumbers = ({ values }: Series): boolean => values.some(([, value]) => !Number.isNaN(Number(value)));

/** Formats a Grafana legend: replaces labels in double braces. */
const nameOf = (legend: string, labels: Series['metric']): string =>
  legend.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label: string) => labels[label] ?? '');
