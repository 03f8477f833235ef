import { createHash } from 'node:crypto';
import type { OriginChoice } from '@zonewright/engine';
import { NewestEntries } from '@zonewright/gate';
import type { ServerHealth } from './server-health.ts';
import { serverKey } from './server-key.ts';

/** A choice between the servers of a backend. */
export interface Choice {
  /** Names the backend: turns are taken within it. */
  readonly backend: string;
  /** Undefined: a single origin server. */
  readonly method: string | undefined;
  readonly servers: readonly OriginChoice[];
  /** Address of the client. */
  readonly client: string;
  /** Servers that this request has tried. */
  readonly tried: readonly OriginChoice[];
}

type Method = (servers: readonly OriginChoice[], choice: Choice) => OriginChoice | undefined;

/** Backends that no request has asked for since are forgotten when there are too many. */
const maxRotations = 10_000;

/** Chooses the server of a request, and counts their requests. */
export class Balancer {
  readonly #health: ServerHealth;
  readonly #random: () => number;
  readonly #active = new Map<string, number>();
  readonly #rotations = new NewestEntries<Map<string, number>>(maxRotations);
  readonly #methods: Readonly<Record<string, Method>> = {
    random: (servers) => this.#byRandom(servers),
    round_robin: (servers, { backend }) => this.#inTurn(backend, servers),
    ip_hash: (servers, { client }) => byHash(servers, client),
    least_connections: (servers) => this.#leastBusy(servers),
  };

  constructor(health: ServerHealth, random: () => number = Math.random) {
    this.#health = health;
    this.#random = random;
  }

  /**
   * A server that has not been tried and is not left out. If all others are left out, one of them: it may be back.
   * Undefined if all have been tried.
   */
  choose(choice: Choice): OriginChoice | undefined {
    const { servers, tried, method } = choice;
    const untried = tried.length === 0 ? servers : servers.filter((each) => !tried.includes(each));
    if (untried.length <= 1) return untried[0];
    const healthy = untried.filter((each) => !this.#health.isLeftOut(serverKey(each)));
    const choose = this.#methods[method ?? 'random'] ?? this.#byRandom.bind(this);
    return choose(healthy.length > 0 ? healthy : untried, choice);
  }

  /** A request to the server begins; the returned function ends it. */
  begin(server: OriginChoice): () => void {
    const key = serverKey(server);
    this.#active.set(key, this.#activeOf(server) + 1);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      const left = this.#activeOf(server) - 1;
      if (left > 0) this.#active.set(key, left);
      else this.#active.delete(key);
    };
  }

  #activeOf(server: OriginChoice): number {
    return this.#active.get(serverKey(server)) ?? 0;
  }

  #byRandom(servers: readonly OriginChoice[]): OriginChoice | undefined {
    let left = this.#random() * servers.reduce((sum, { weight }) => sum + weight, 0);
    return servers.find(({ weight }) => (left -= weight) < 0) ?? servers.at(-1);
  }

  /** Smooth weighted round robin, as nginx does it: each gains its weight, the richest pays the sum of all. */
  #inTurn(backend: string, servers: readonly OriginChoice[]): OriginChoice | undefined {
    const credit = this.#rotationOf(backend);
    let richest: OriginChoice | undefined;
    let sum = 0;
    for (const server of servers) {
      const { originServer, weight } = server;
      sum += weight;
      credit.set(originServer, (credit.get(originServer) ?? 0) + weight);
      if (richest === undefined || (credit.get(originServer) ?? 0) > (credit.get(richest.originServer) ?? 0)) {
        richest = server;
      }
    }
    if (richest !== undefined) credit.set(richest.originServer, (credit.get(richest.originServer) ?? 0) - sum);
    return richest;
  }

  #rotationOf(backend: string): Map<string, number> {
    const rotation = this.#rotations.get(backend) ?? new Map<string, number>();
    this.#rotations.set(backend, rotation);
    return rotation;
  }

  /** The fewest requests in relation to the weight; the first of several. */
  #leastBusy(servers: readonly OriginChoice[]): OriginChoice | undefined {
    return least(servers, (server) => (this.#activeOf(server) + 1) / server.weight);
  }
}

/**
 * Rendezvous hashing with weights: a client keeps its server when others come and go, and a server gets its share of
 * clients.
 */
const byHash = (servers: readonly OriginChoice[], client: string): OriginChoice | undefined =>
  least(servers, ({ originServer, weight }) => {
    const digest = createHash('sha256').update(`${client} ${originServer}`).digest();
    return -Math.log((digest.readUInt32BE(0) + 1) / (2 ** 32 + 1)) / weight;
  });

function least(servers: readonly OriginChoice[], measure: (server: OriginChoice) => number): OriginChoice | undefined {
  const measured = servers.map((server) => ({ server, value: measure(server) }));
  const minimum = Math.min(...measured.map(({ value }) => value));
  return measured.find(({ value }) => value === minimum)?.server;
}
