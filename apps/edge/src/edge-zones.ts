import { type AddressFacts, digestOf, requireFacts } from './documents/accepted-zone.ts';
import { DocumentChecks } from './documents/checking/document-checks.ts';
import { type Rejection, rejection } from './documents/rejection.ts';
import { eachOf } from './feed/each-of.ts';
import type { HeldZones, OfferedZone } from './feed/held-zones.ts';
import type { RoutedZone } from './routing/zone-table.ts';
import type { StateFolder } from './state/state-folder.ts';
import type { RejectedZone, StoredTable, StoredZone } from './state/stored-table.ts';

/** What answers requests: this process, or others. */
export interface ZoneSink {
  put(zone: RoutedZone): void;
  remove(id: string): void;
  /** Resolves once everything before is in effect. */
  flushed(): Promise<void>;
}

/** What holding zones needs. */
export interface EdgeZonesOptions {
  readonly folder: StateFolder;
  readonly zoneSink: ZoneSink;
  readonly facts: AddressFacts;
  /** The version of the program. */
  readonly program: string;
}

/** What the table on disk says. */
export interface StateOnDisk {
  readonly position: string | undefined;
  /** Number of zones that are served. */
  readonly applied: number;
  readonly rejected: readonly RejectedZone[];
}

/** Files that are read at a time at the start. */
const concurrency = 16;

/** The zones of this edge: served, rejected, and on disk. */
export class EdgeZones implements HeldZones {
  readonly #options: EdgeZonesOptions;
  readonly #checks = new DocumentChecks();
  readonly #zones = new Map<string, StoredZone>();
  readonly #digests = new Map<string, string>();
  readonly #rejected = new Map<string, RejectedZone>();
  /** Documents that are not in use any more, but that the table on disk still names. */
  readonly #replaced = new Set<string>();
  #position: string | undefined;
  #onDisk: StateOnDisk = { position: undefined, applied: 0, rejected: [] };

  constructor(options: EdgeZonesOptions) {
    this.#options = options;
  }

  /** Serves what is on disk. Documents that another version of the program accepted are checked again. */
  async load(): Promise<void> {
    const { folder, program } = this.#options;
    const table = await folder.readTable();
    if (table === undefined) return;
    for (const each of table.rejected) this.#rejected.set(each.id, each);
    const problems = await this.#problemsIn(table, table.program === program);
    for (const zone of table.zones) {
      const problem = problems.get(zone.id);
      if (problem === undefined) this.#serve(zone);
      else this.reject(zone, problem);
    }
    this.#position = table.position;
    this.#noteOnDisk();
    await folder.sweep(new Set(this.#digests.values()));
  }

  /** Whether there is a state, from disk or from the service. */
  get isUsable(): boolean {
    return this.#onDisk.position !== undefined;
  }

  /** What is on disk, which is what may be reported. */
  get onDisk(): StateOnDisk {
    return this.#onDisk;
  }

  get position(): string | undefined {
    return this.#position;
  }

  digests(): ReadonlyMap<string, string> {
    return this.#digests;
  }

  rejected(): readonly RejectedZone[] {
    return [...this.#rejected.values()];
  }

  async accept(zone: OfferedZone, bytes: Buffer): Promise<Rejection | undefined> {
    const { folder, facts } = this.#options;
    const accepted = await this.#checks.check(bytes, { ...zone, facts });
    if (accepted.isErr()) return accepted.error;
    await folder.writeDocument(zone.digest, bytes);
    this.#rejected.delete(zone.id);
    const { hostnames, needs } = accepted.value;
    this.#serve({ id: zone.id, digest: zone.digest, hostnames: [...hostnames], needs: [...needs] });
    return undefined;
  }

  reject({ id, digest }: OfferedZone, { code, message }: Rejection): void {
    this.#rejected.set(id, { id, digest, code, message });
  }

  remove(id: string): void {
    this.#rejected.delete(id);
    this.#forget(id);
    this.#digests.delete(id);
    this.#options.zoneSink.remove(id);
  }

  async commit(position: string | undefined): Promise<void> {
    const { folder, zoneSink, program } = this.#options;
    await zoneSink.flushed();
    const next = position ?? this.#position;
    await folder.writeTable({
      program,
      ...(next === undefined ? {} : { position: next }),
      zones: [...this.#zones.values()],
      rejected: [...this.rejected()],
    });
    this.#position = next;
    this.#noteOnDisk();
    await this.#removeReplaced();
  }

  /** Notes that a document on disk turned out to be lost: it is fetched again. */
  lose({ id, digest }: OfferedZone): void {
    this.reject({ id, digest }, lost);
  }

  /** Ends what is being checked. */
  close(): Promise<void> {
    return this.#checks.close();
  }

  #noteOnDisk(): void {
    this.#onDisk = { position: this.#position, applied: this.#zones.size, rejected: this.rejected() };
  }

  #serve(zone: StoredZone): void {
    this.#forget(zone.id);
    this.#zones.set(zone.id, zone);
    this.#digests.set(zone.id, zone.digest);
    this.#replaced.delete(zone.digest);
    this.#options.zoneSink.put(zone);
  }

  #forget(id: string): void {
    const before = this.#zones.get(id);
    if (before === undefined) return;
    this.#zones.delete(id);
    this.#replaced.add(before.digest);
  }

  async #removeReplaced(): Promise<void> {
    const all = [...this.#replaced];
    this.#replaced.clear();
    await Promise.all(all.map((digest) => this.#options.folder.removeDocument(digest)));
  }

  /** What is wrong with zones of a table; nothing for those that can be served. */
  async #problemsIn({ zones }: StoredTable, isChecked: boolean): Promise<ReadonlyMap<string, Rejection>> {
    const problems = new Map<string, Rejection>();
    await eachOf(zones, concurrency, async (zone) => {
      const problem = await this.#problemOf(zone, isChecked);
      if (problem !== undefined) problems.set(zone.id, problem);
    });
    return problems;
  }

  async #problemOf(zone: StoredZone, isChecked: boolean): Promise<Rejection | undefined> {
    const { folder, facts } = this.#options;
    const bytes = await folder.readDocument(zone.digest);
    if (bytes === undefined || digestOf(bytes) !== zone.digest) return lost;
    const outcome = isChecked ? requireFacts(zone.needs, facts) : await this.#checks.check(bytes, { ...zone, facts });
    return outcome.isOk() ? undefined : outcome.error;
  }
}

const lost = rejection('document.digest', 'The document on the disk of this edge was lost or damaged.');
