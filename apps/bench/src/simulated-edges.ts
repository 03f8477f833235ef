import { Agent } from 'node:http';
import { ask, exchange, jsonRequest } from './load.ts';

/** A zone that an answer of the feed names. */
interface Named {
  readonly id: string;
  readonly revision?: number;
  readonly digest?: string;
}

interface Changes {
  readonly position: string;
  readonly zones: readonly Named[];
}

/** Edges that follow the feed from its present end and read each document that it names, as real ones do. */
export class SimulatedEdges {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #applied = new Map<string, number>();
  readonly #watching = new Set<() => void>();
  readonly #loops: Promise<void>[] = [];
  #isStopped = false;

  constructor(port: number) {
    this.#port = port;
  }

  /** Adds an edge with each key; resolves when all of them wait for changes after the position. */
  async start(keys: readonly string[], position: string): Promise<void> {
    for (const key of keys) this.#loops.push(this.#follow(key, position));
    // Until each has sent its first request.
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }

  /** Resolves when this many edges have a revision of a zone. */
  reached(zone: string, revision: number, edges: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if ((this.#applied.get(`${zone} ${revision}`) ?? 0) < edges) return;
        this.#watching.delete(look);
        resolve();
      };
      this.#watching.add(look);
      look();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#agent.destroy();
    await Promise.allSettled(this.#loops);
  }

  async #follow(key: string, from: string): Promise<void> {
    let position = from;
    while (!this.#isStopped) {
      const changes = await this.#changes(key, position);
      if (changes === undefined) continue;
      position = changes.position;
      for (const zone of changes.zones) await this.#apply(key, zone);
    }
  }

  #changes(key: string, after: string): Promise<Changes | undefined> {
    const path = `/edge/v1/changes?after=${encodeURIComponent(after)}&wait=55`;
    return this.#get(key, path).then(
      // The service answers as it documents.
      (text) => JSON.parse(text) as Changes,
      (failure: unknown) => {
        if (!this.#isStopped) throw failure;
        return undefined;
      },
    );
  }

  async #apply(key: string, { id, revision, digest }: Named): Promise<void> {
    if (digest !== undefined) await this.#get(key, `/edge/v1/documents/${digest}`);
    const name = `${id} ${revision}`;
    this.#applied.set(name, (this.#applied.get(name) ?? 0) + 1);
    for (const look of this.#watching) look();
  }

  #get(key: string, path: string): Promise<string> {
    const request = jsonRequest('GET', path, { token: key, headers: { 'Accept-Encoding': 'gzip' } });
    return exchange(this.#port, { ...request, learn: () => undefined }, this.#agent);
  }
}

/** Where the feed ends for an edge. */
export async function endOfFeed(port: number, key: string): Promise<string> {
  let query = '';
  for (;;) {
    const request = jsonRequest('GET', `/edge/v1/changes${query}`, { token: key });
    const { position, more } = await ask<Changes & { readonly more: boolean }>(port, request);
    if (!more) return position;
    query = `?after=${encodeURIComponent(position)}`;
  }
}
