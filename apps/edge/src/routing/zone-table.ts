import { hostOfAuthority, namesAnswering } from '@zonewright/engine';
import type { ServedZone, Zones } from '../documents/accepted-zone.ts';

/** What is remembered of each zone; its document is read and compiled at the first request. */
export interface RoutedZone {
  readonly id: string;
  readonly digest: string;
  /** Lower-case A-labels; a leading `*.` matches exactly one label. */
  readonly hostnames: readonly string[];
}

interface Entry extends RoutedZone {
  served: ServedZone | undefined;
  /** Since the last call of `releaseIdle`. */
  wasRequested: boolean;
}

/** Compiles the document with a digest; undefined if it is lost. */
export type ReadZone = (zone: RoutedZone) => ServedZone | undefined;

/** The zones of the edge by host name. */
export class ZoneTable implements Zones {
  readonly #read: ReadZone;
  readonly #zones = new Map<string, Entry>();
  /** While a name moves between zones, both may claim it: the last one has it. */
  readonly #claims = new Map<string, readonly Entry[]>();

  constructor(read: ReadZone) {
    this.#read = read;
  }

  /** Number of zones. */
  get size(): number {
    return this.#zones.size;
  }

  /** Number of compiled zones. */
  get compiled(): number {
    return [...this.#zones.values()].filter(({ served }) => served !== undefined).length;
  }

  /** Adds a zone or replaces it as a whole. */
  put({ id, digest, hostnames }: RoutedZone): void {
    this.remove(id);
    const entry: Entry = { id, digest, hostnames, served: undefined, wasRequested: false };
    this.#zones.set(id, entry);
    for (const name of hostnames) this.#claims.set(name, [...(this.#claims.get(name) ?? []), entry]);
  }

  /** Removes a zone, if it is there. */
  remove(id: string): void {
    const entry = this.#zones.get(id);
    if (entry === undefined) return;
    this.#zones.delete(id);
    for (const name of entry.hostnames) {
      const others = this.#claims.get(name)?.filter((each) => each !== entry) ?? [];
      if (others.length === 0) this.#claims.delete(name);
      else this.#claims.set(name, others);
    }
  }

  /** Forgets what was compiled of zones that nobody has asked for since the last call. */
  releaseIdle(): void {
    for (const entry of this.#zones.values()) {
      if (!entry.wasRequested) entry.served = undefined;
      entry.wasRequested = false;
    }
  }

  find(host: string): ServedZone | 'unknown' | 'invalid' {
    const name = hostOfAuthority(host);
    if (name === undefined) return 'invalid';
    const entry = this.#entryOf(name);
    if (entry === undefined) return 'unknown';
    entry.wasRequested = true;
    entry.served ??= this.#read(entry);
    return entry.served ?? 'unknown';
  }

  /** Whether a zone answers requests for the name. */
  answers(host: string): boolean {
    const name = hostOfAuthority(host);
    return name !== undefined && this.#entryOf(name) !== undefined;
  }

  /** An exact name wins over a wildcard, which stands for exactly one label. */
  #entryOf(name: string): Entry | undefined {
    for (const each of namesAnswering(name)) {
      const entry = this.#claims.get(each)?.at(-1);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}
