import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { documentOf } from '../support/documents.ts';
import { type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts';
import { FakeService } from '../support/fake-service.ts';
import { httpOrigin, type TestOrigin } from '../support/origin.ts';
import { aStatePlace, type StatePlace } from '../support/running-edge.ts';
import type { Attack, Scene } from './attack.ts';
import { attackedHost } from './attack.ts';
import { attacks } from './attacks.ts';
import { descriptorsOf, type Met, maxDescriptorsOf, megabytesOf, visit } from './neighbour.ts';
import { proxiedZone } from './zones.ts';

const seconds = Number(process.env['ABUSE_SECONDS'] ?? 10);
const unit = readFileSync(join(import.meta.dirname, '../../deploy/zonewright-edge.service'), 'utf8');
/** Memory of the edge as shipped, in MiB. */
const [, amount, unitOfAmount] = /^MemoryMax=(\d+)([MG])$/m.exec(unit) ?? [];
const memoryLimit = Number(amount) * (unitOfAmount === 'G' ? 1024 : 1);
const heapFlag = /^ExecStart=\S+ (--max-old-space-size=\d+) /m.exec(unit)?.[1] ?? '';

interface Measured extends Met {
  readonly megabytes: number;
  readonly descriptors: number;
  readonly maxDescriptors: number;
  readonly exited: boolean;
}

/**
 * Run by `pnpm test abuse`: one zone, or those who ask for it, attack an edge of the shipped size; `pnpm test abuse -g
 * WebSockets` selects attacks. A broken promise must be broken twice, because other work on the machine can break it too.
 */
describe(`An attack by one zone for ${seconds} s`, function () {
  this.timeout(3 * (seconds + 60) * 1000);
  let service: FakeService;
  let state: StatePlace;
  let edge: EdgeProcess;
  let ports: { readonly port: number; readonly privatePort: number };
  let origin: TestOrigin;
  let hasExited = false;

  beforeEach(async () => {
    service = new FakeService();
    await service.open();
    state = aStatePlace();
    origin = await httpOrigin();
    service.put(proxiedZone(origin.port, { id: 'neighbour', host: 'neighbour.example' }));
  });
  afterEach(async () => {
    edge.kill('SIGKILL');
    await edge.exited;
    await origin.close();
    await service.close();
    state.clean();
  });

  async function start(): Promise<void> {
    hasExited = false;
    const env = { ORIGIN_NETWORKS: '127.0.0.0/8', NODE_OPTIONS: heapFlag };
    const enrolment = { SERVICE_URL: service.url, STATE_DIR: state.path, EDGE_TOKEN: service.addToken() };
    edge = startEdgeProcess({ ...env, ...enrolment });
    ports = await edge.serving;
    void watch(edge);
    await untilAnswered('neighbour.example');
  }

  async function watch({ exited }: EdgeProcess): Promise<void> {
    await exited;
    hasExited = true;
  }

  /** Waits until the edge has the zone of a host name. */
  async function untilAnswered(host: string): Promise<void> {
    while ((await fetch(`http://127.0.0.1:${ports.privatePort}/hostnames/${host}`)).status !== 200) await pause(20);
  }

  async function measure(attack: Attack): Promise<Measured> {
    await start();
    const { attacker, scene } = await startAttacker(attack);
    const revisions = revisionsOf(attack, scene).values();
    const met = visit(ports.port, 'neighbour.example');
    attacker.send('go');
    const peak = { megabytes: 0, descriptors: 0 };
    const maxDescriptors = maxDescriptorsOf(edge.pid);
    const timer = setInterval(() => {
      peak.megabytes = Math.max(peak.megabytes, Math.round(megabytesOf(edge.pid)));
      peak.descriptors = Math.max(peak.descriptors, descriptorsOf(edge.pid));
    }, 100);
    const changing = setInterval(
      () => {
        for (const [draft, document] of revisions.next().value ?? []) service.putMade(draft, document);
      },
      attack.changes ?? seconds * 1000,
    );
    await pause(seconds * 1000);
    clearInterval(timer);
    clearInterval(changing);
    const measured = { ...(await met.stop()), ...peak, maxDescriptors, exited: hasExited };
    attacker.kill('SIGKILL');
    process.stdout.write(`      ${lineOf(attack, measured)}\n`);
    return measured;
  }

  /** All revisions of the zones of an attack, made before anything is measured. */
  function revisionsOf({ changes, zones }: Attack, scene: Scene) {
    const count = changes === undefined ? 0 : Math.floor((seconds * 1000) / changes);
    const drafts = Array.from({ length: count }, (_, at) =>
      zones(scene).map((zone) => ({ ...zone, revision: at + 2 })),
    );
    return drafts.map((each) => each.map((draft) => [draft, documentOf(draft)] as const));
  }

  async function startAttacker(attack: Attack): Promise<{ readonly attacker: ChildProcess; readonly scene: Scene }> {
    const child = fork(join(import.meta.dirname, 'attacker.ts'), {
      execArgv: ['--import', 'tsx', '--conditions=@zonewright/source'],
      env: { ...process.env, ATTACK: attack.name, EDGE_PORT: String(ports.port) },
    });
    // The attacker's first message names its port.
    const [{ origin: port }] = (await once(child, 'message')) as [{ readonly origin: number }];
    const scene = { edge: ports.port, origin: port };
    for (const zone of attack.zones(scene)) service.put(zone);
    await untilAnswered(attackedHost);
    return { attacker: child, scene };
  }

  for (const attack of attacks) {
    it(`${attack.name}: harms no other zone`, async () => {
      const first = brokenPromises(await measure(attack));
      if (first.length === 0) return;
      edge.kill('SIGKILL');
      await edge.exited;
      const second = brokenPromises(await measure(attack));
      expect(second, `first: ${first.join('; ')}`).to.deep.equal([]);
    });
  }
});

/** What an edge promises its zones, whatever one of them does. */
function brokenPromises(measured: Measured): readonly string[] {
  const { statuses, p99, megabytes, descriptors, maxDescriptors, exited } = measured;
  const promises: readonly (readonly [string, boolean])[] = [
    [`another zone waited ${p99} ms (p99)`, p99 < 250],
    [`another zone got ${shown(statuses)}`, Object.keys(statuses).every((status) => status === '200')],
    ['the edge ended', !exited],
    [`the edge took ${megabytes} MiB`, megabytes < memoryLimit],
    [`the edge had ${descriptors} of ${maxDescriptors} descriptors`, descriptors < maxDescriptors / 10],
  ];
  return promises.filter(([, holds]) => !holds).map(([broken]) => broken);
}

const shown = (statuses: Met['statuses']): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'nothing' : status}`)
    .join(', ');

const lineOf = ({ name }: Attack, { statuses, p50, p99, max, megabytes, descriptors }: Measured): string =>
  [
    `${name}: another zone ${shown(statuses)}`,
    `p50 ${p50}, p99 ${p99}, max ${max} ms`,
    `${megabytes} MiB`,
    `${descriptors} descriptors`,
    `load ${(loadavg()[0] ?? 0).toFixed(1)}`,
  ].join('; ');
