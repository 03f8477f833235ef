import { isIP } from 'node:net';
import type { IpRange, OriginChoice } from '@zonewright/engine';
import { NewestEntries } from '@zonewright/gate';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { guardedConnector } from './guarded-connector.ts';
import type { OwnListeners } from './own-listeners.ts';
import type { ServerHealth } from './server-health.ts';
import { serverKey } from './server-key.ts';

/** How long origins may take, in seconds. */
export const originLimits = {
  connectSeconds: 5,
  /** From the end of the request to the head of the answer. */
  headSeconds: 60,
  /** Between two parts of the answer's body. */
  bodySeconds: 60,
};
/** As `originLimits`. */
export type OriginLimits = Readonly<typeof originLimits>;

/** What reaching origins needs. */
export interface OriginOptions {
  /** Networks in which origins may lie although they are not public. */
  readonly allowed: readonly IpRange[];
  readonly limits: OriginLimits;
  /** Where this process itself listens. */
  readonly own: OwnListeners;
  /** Pools that a zone may have. */
  readonly poolsPerZone: number;
  /** Certificates of authorities, in PEM; undefined: those that Node knows. */
  readonly authorities: string | undefined;
}

const maxZones = 2000;
const maxHeadBytes = 64 * 1024;

type Pools = NewestEntries<Pool>;

/** Connections to origin servers, kept alive between requests. No zone uses those of another, or takes them away. */
export class OriginPools {
  readonly #options: OriginOptions;
  readonly #health: ServerHealth;
  /** By zone; the ones used last are at the end. */
  readonly #zones = new NewestEntries<Pools>(maxZones);

  constructor(options: OriginOptions, health: ServerHealth) {
    this.#options = options;
    this.#health = health;
  }

  /**
   * The connections of a zone to a server. Those by TLS are kept apart by the `Host` field, which is the name that the
   * server is asked for (SNI). There are as many as requests of the zone, whose number is bounded before.
   */
  of(zone: string, server: OriginChoice): Pool {
    const key = server.protocol === 'https' ? `${serverKey(server)} ${server.host}` : serverKey(server);
    const pools = this.#poolsOf(zone);
    const pool = pools.get(key) ?? new Pool(originOf(server), this.#settings(server));
    // Ends once its requests have.
    void pools.set(key, pool)?.close();
    return pool;
  }

  /** A connection to a server for a single request. It closes afterwards. */
  fresh(server: OriginChoice): Dispatcher {
    const client = new Client(originOf(server), this.#settings(server));
    queueMicrotask(() => void client.close());
    return client;
  }

  /** Cuts all connections. */
  async close(): Promise<void> {
    const pools = [...this.#zones.values()].flatMap((each) => [...each.values()]);
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** Makes single connections to a server. */
  connectorOf(server: OriginChoice): buildConnector.connector {
    const { allowed, own, limits, authorities } = this.#options;
    const key = serverKey(server);
    return guardedConnector({
      allowed,
      own,
      port: server.port,
      names: [server.host.replace(/^\[|\]$/g, ''), server.address],
      connectSeconds: limits.connectSeconds,
      authorities,
      connected: () => this.#health.connected(key),
      failed: () => this.#health.refused(key),
    });
  }

  #poolsOf(zone: string): Pools {
    const pools = this.#zones.get(zone) ?? new NewestEntries<Pool>(this.#options.poolsPerZone);
    for (const pool of this.#zones.set(zone, pools)?.values() ?? []) void pool.close();
    return pools;
  }

  #settings(server: OriginChoice): Client.Options {
    const { limits } = this.#options;
    return {
      connect: this.connectorOf(server),
      pipelining: 1,
      headersTimeout: limits.headSeconds * 1000,
      bodyTimeout: limits.bodySeconds * 1000,
      maxHeaderSize: maxHeadBytes,
    };
  }
}

const originOf = ({ protocol, address, port }: OriginChoice): string =>
  `${protocol}://${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
