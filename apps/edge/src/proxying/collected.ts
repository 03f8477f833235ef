import type { ServedZone } from '../documents/accepted-zone.ts';
import type { BodySink } from '../origins/exchange.ts';
import type { HeaderLines } from '../responses/header-lines.ts';
import { headerOfTransformed } from '../responses/transformed-header.ts';
import type { ByteShare } from '../shares/byte-share.ts';
import type { Transformers } from '../transforming/pool/transformers.ts';
import { contentTypeOf, type Job, type Transformation } from '../transforming/transformation.ts';
import { guarded, type Visit } from './visit.ts';

/** A smaller part takes about as much memory. */
const minPartBytes = 512;

interface CollectedParts {
  readonly visit: Visit;
  readonly zone: ServedZone;
  /** Bytes that the zone may hold back; beyond, bodies pass as they come. */
  readonly share: ByteShare;
  /** The header of the original. */
  readonly lines: HeaderLines;
  readonly transformation: Transformation;
  readonly transformers: Transformers;
  /** Sends this header, and then what it is given. */
  readonly passOn: (lines: HeaderLines) => BodySink;
}

/** Holds a body back until it is whole, and passes it on in another form; if there is none, as it came. */
export class Collected implements BodySink {
  readonly #parts: CollectedParts;
  readonly #abandoned = new AbortController();
  #chunks: Buffer[] = [];
  #bytes = 0;
  #nextLook = 1;
  #isWhole = false;
  #rest: BodySink | undefined;

  constructor(parts: CollectedParts) {
    this.#parts = parts;
    parts.visit.response.once('close', () => {
      this.#abandoned.abort();
      // What is being worked on is still there.
      if (!this.#isWhole) this.#release();
    });
  }

  data(chunk: Buffer): boolean {
    if (this.#rest !== undefined) return this.#rest.data(chunk);
    this.#chunks.push(chunk);
    const bytes = Math.max(chunk.length, minPartBytes);
    this.#bytes += bytes;
    const mayBeHeld = this.#parts.share.take(bytes);
    return mayBeHeld && this.#mayChange() ? true : this.#passOn();
  }

  end(): void {
    if (this.#rest !== undefined) return this.#rest.end();
    this.#isWhole = true;
    const body = Buffer.concat(this.#chunks);
    const job = this.#parts.transformation.jobFor(body);
    if (job === undefined) guarded(this.#parts.visit, () => this.#finish(body, this.#parts.lines));
    else void this.#transform(job);
  }

  broken(): void {
    this.#parts.visit.response.destroy();
  }

  /** Looks at what came when it has doubled, so that all looks together cost little. */
  #mayChange(): boolean {
    const { maxBytes, mayApply } = this.#parts.transformation;
    if (this.#bytes > maxBytes) return false;
    if (this.#bytes < this.#nextLook) return true;
    this.#nextLook = 2 * this.#bytes;
    return mayApply(Buffer.concat(this.#chunks));
  }

  #passOn(): boolean {
    let hasRoom = false;
    guarded(this.#parts.visit, () => {
      this.#rest = this.#parts.passOn(this.#parts.lines);
      hasRoom = this.#rest.data(Buffer.concat(this.#chunks));
    });
    this.#release();
    return hasRoom;
  }

  async #transform(job: Job): Promise<void> {
    const { visit, zone, transformers, lines } = this.#parts;
    const outcome = await transformers.run(zone.document.zone.id, job, this.#abandoned.signal);
    visit.entry.transformation = outcome.type;
    guarded(visit, () => {
      if (outcome.type !== 'made') return this.#finish(job.body, lines);
      this.#finish(outcome.body, headerOfTransformed(lines, contentTypeOf(job), outcome.body.length));
    });
  }

  #finish(body: Buffer, lines: HeaderLines): void {
    this.#release();
    if (this.#parts.visit.response.destroyed) return;
    const sink = this.#parts.passOn(lines);
    sink.data(body);
    sink.end();
  }

  #release(): void {
    this.#parts.share.give(this.#bytes);
    this.#bytes = 0;
    this.#chunks = [];
  }
}
