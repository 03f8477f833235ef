import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { until } from '../../faults/support/until.ts';
import { ensurePackages, type Program, postgresUser, startProgram } from './debian.ts';

const nodeNames = ['one', 'two', 'three'] as const;
const password = 'secret';

/** The addresses of a cluster node. */
interface Place {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  /** The port of Patroni's REST API. */
  readonly restPort: number;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
}

/** A member as Patroni describes it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Installs the cluster's packages unless present. */
export function ensureCluster(): void {
  ensurePackages({
    'etcd-server': '/usr/bin/etcd',
    haproxy: '/usr/sbin/haproxy',
    patroni: '/usr/bin/patroni',
    postgresql: '/usr/lib/postgresql',
  });
}

/**
 * Three nodes, each with PostgreSQL under Patroni and a member of etcd for leader election, with synchronous replication, and
 * HAProxy to route to the leader.
 */
export class Cluster {
  /** Routes to the leader once there is one. */
  readonly url: string;
  readonly #folder: string;
  readonly #places: readonly Place[];
  readonly #etcd = new Map<string, Program>();
  readonly #patroni = new Map<string, Program>();
  readonly #proxy: Program;

  private constructor(parts: {
    readonly folder: string;
    readonly places: readonly Place[];
    readonly proxy: Program;
    readonly port: number;
  }) {
    this.#folder = parts.folder;
    this.#places = parts.places;
    this.#proxy = parts.proxy;
    this.url = `postgres://postgres:${password}@127.0.0.1:${parts.port}/postgres`;
  }

  static async open(): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-cluster-'));
    own(folder);
    const port = await getPort({ host: '127.0.0.1' });
    const places: Place[] = [];
    for (const name of nodeNames) places.push(await placeIn(folder, name));
    for (const place of places) {
      writeFileSync(join(place.folder, 'patroni.json'), JSON.stringify(patroniSettings(place, places), null, 2));
    }
    writeFileSync(join(folder, 'haproxy.cfg'), haproxySettings(port, places));
    const proxy = startProgram('/usr/sbin/haproxy', ['-db', '-f', 'haproxy.cfg'], {
      cwd: folder,
      user: postgresUser(),
    });
    const cluster = new Cluster({ folder, places, proxy, port });
    for (const { name } of places) cluster.#startEtcd(name);
    for (const { name } of places) {
      cluster.#startPatroni(name);
      // The first node initializes the database; the others clone it.
      await until(async () => (await cluster.members()).some((member) => member.name === name && isUp(member)), {
        seconds: 120,
      });
    }
    await cluster.isWhole();
    return cluster;
  }

  startNode(name: string): void {
    this.#startEtcd(name);
    this.#startPatroni(name);
  }

  #startEtcd(name: string): void {
    const { folder } = this.#place(name);
    const flags = etcdFlags(this.#place(name), this.#places);
    this.#etcd.set(name, startProgram('/usr/bin/etcd', flags, { cwd: folder, user: postgresUser() }));
  }

  #startPatroni(name: string): void {
    const { folder } = this.#place(name);
    this.#patroni.set(name, startProgram('/usr/bin/patroni', ['patroni.json'], { cwd: folder, user: postgresUser() }));
  }

  /** The members according to the first node that responds. */
  async members(): Promise<readonly Member[]> {
    for (const { restPort } of this.#places) {
      const found = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2000) })
        .then(async (response) => ((await response.json()) as { readonly members: readonly Member[] }).members)
        .catch(() => undefined);
      if (found !== undefined) return found;
    }
    return [];
  }

  async leader(): Promise<string | undefined> {
    return (await this.members()).find(({ role, state }) => role === 'leader' && state === 'running')?.name;
  }

  /** Resolves when every node is up and one of them is the synchronous standby. */
  async isWhole(): Promise<void> {
    const whole = async () => {
      const members = await this.members();
      return (
        members.length === 3 &&
        members.every(isUp) &&
        ['leader', 'sync_standby'].every((role) => members.some((each) => each.role === role))
      );
    };
    await until(whole, { seconds: 180 });
  }

  /** `kill -9` for all PostgreSQL processes of the node; Patroni notices at once. */
  killPostgres(name: string): void {
    const [pid = ''] = readFileSync(join(this.#place(name).folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    const children = spawnSync('pgrep', ['-P', pid], { encoding: 'utf8' }).stdout.split('\n');
    for (const each of [pid, ...children].filter((line) => line !== '')) kill(Number(each));
  }

  /** `kill -9` for all processes of the node, as if the machine were lost: the others notice when its lease expires. */
  async killNode(name: string): Promise<void> {
    const ended = [this.#patroni, this.#etcd].map(async (programs) => programs.get(name)?.end('SIGKILL'));
    this.killPostgres(name);
    await Promise.all(ended);
  }

  /** The programs' output, for diagnosing failures. */
  output(): string {
    return this.#programs()
      .map((program) => program.output().slice(-3000))
      .join('\n---\n');
  }

  async close(): Promise<void> {
    for (const { name, folder } of this.#places) {
      await this.#patroni.get(name)?.end('SIGKILL');
      if (readdirSync(join(folder, 'data')).includes('postmaster.pid')) this.killPostgres(name);
    }
    await Promise.all(this.#programs().map((program) => program.end('SIGKILL')));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #programs(): readonly Program[] {
    return [...this.#patroni.values(), ...this.#etcd.values(), this.#proxy];
  }

  #place(name: string): Place {
    const found = this.#places.find((place) => place.name === name);
    if (found === undefined) throw new Error(`There is no node ${name}.`);
    return found;
  }
}

const isUp = ({ state }: Member): boolean => state === 'running' || state === 'streaming';

function own(path: string): void {
  const { uid, gid } = postgresUser();
  chownSync(path, uid, gid);
}

/** The process may have exited already. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited, as intended.
  }
}

async function placeIn(folder: string, name: string): Promise<Place> {
  const place = {
    name,
    folder: join(folder, name),
    port: await getPort({ host: '127.0.0.1' }),
    restPort: await getPort({ host: '127.0.0.1' }),
    etcdPort: await getPort({ host: '127.0.0.1' }),
    etcdPeerPort: await getPort({ host: '127.0.0.1' }),
  };
  mkdirSync(place.folder);
  own(place.folder);
  return place;
}

/** A restarted member reads the others from its data. */
const etcdFlags = ({ name, folder, etcdPort, etcdPeerPort }: Place, places: readonly Place[]): readonly string[] => [
  `--name=${name}`,
  `--data-dir=${join(folder, 'etcd')}`,
  `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
  `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
  `--listen-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
  `--initial-advertise-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
  `--initial-cluster=${places.map((place) => `${place.name}=http://127.0.0.1:${place.etcdPeerPort}`).join(',')}`,
];

/** The newest installed version. */
const binaries = (): string => {
  const [version = ''] = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${version}/bin`;
};

/** The shortest lease that Patroni accepts. JSON is valid YAML. */
const patroniSettings = ({ name, folder, port, restPort }: Place, places: readonly Place[]) => ({
  scope: 'zonewright',
  name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { hosts: places.map(({ etcdPort }) => `127.0.0.1:${etcdPort}`) },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 2,
      retry_timeout: 5,
      master_start_timeout: 0,
      synchronous_mode: true,
      synchronous_mode_strict: true,
      postgresql: { use_pg_rewind: true },
    },
    initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    pg_hba: [
      'host all all 127.0.0.1/32 scram-sha-256',
      'host replication all 127.0.0.1/32 scram-sha-256',
      'local all all trust',
    ],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(folder, 'data'),
    bin_dir: binaries(),
    pgpass: join(folder, 'pgpass'),
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
    authentication: {
      superuser: { username: 'postgres', password },
      replication: { username: 'replicator', password },
    },
    parameters: { unix_socket_directories: folder, shared_buffers: '64MB' },
  },
});

/** Checks every node every half second for leadership, and cuts the connections to former leaders. */
const haproxySettings = (port: number, places: readonly Place[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${places.map((place) => `  server ${place.name} 127.0.0.1:${place.port} check port ${place.restPort}`).join('\n')}
`;
