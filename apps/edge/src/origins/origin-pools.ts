import { isIP } from 'node:net';
import type { IpRange, OriginChoice } from '@zonewright/engine';
import { NewestEntries } from '@zonewright/gate';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { guardedConnector } from './guarded-connector.ts';
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
  /** Certificates of authorities, in PEM; undefined: those that Node knows. */
  readonly authorities: string | undefined;
}

const maxPools = 2000;
const maxConnections = 1000;
const maxHeadBytes = 64 * 1024;

/** Connections to origin servers, kept alive between requests. */
export class OriginPools {
  readonly #options: OriginOptions;
  readonly #health: ServerHealth;
  /** The ones used last are at the end. */
  readonly #pools = new NewestEntries<Pool>(maxPools);

  constructor(options: OriginOptions, health: ServerHealth) {
    this.#options = options;
    this.#health = health;
  }

  /**
   * The connections to a server. Those by TLS are kept apart by the `Host` field, which is the name that the server is
   * asked for (SNI).
   */
  of(server: OriginChoice): Pool {
    const key = server.protocol === 'https' ? `${serverKey(server)} ${server.host}` : serverKey(server);
    const pool = this.#pools.get(key) ?? this.#open(server);
    // Ends once its requests have.
    void this.#pools.set(key, pool)?.close();
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
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** Makes single connections to a server. */
  connectorOf(server: OriginChoice): buildConnector.connector {
    const { allowed, limits, authorities } = this.#options;
    const key = serverKey(server);
    return guardedConnector({
      allowed,
      names: [server.host.replace(/^\[|\]$/g, ''), server.address],
      connectSeconds: limits.connectSeconds,
      authorities,
      connected: () => this.#health.connected(key),
      failed: () => this.#health.refused(key),
    });
  }

  #open(server: OriginChoice): Pool {
    return new Pool(originOf(server), { ...this.#settings(server), connections: maxConnections });
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
