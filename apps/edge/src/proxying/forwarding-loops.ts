import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fieldIn } from '../responses/header-lines.ts';

/** Zones of one installation may be origins of each other, so that a request may come from it this many times. */
const maxPassages = 3;
const identifierDigits = 16;

/**
 * Ends requests that go in circles, by `CDN-Loop` (RFC 8586), which no zone can set or remove. All edges of an installation
 * have one identifier, from the address of their service.
 */
export class ForwardingLoops {
  readonly #identifier: string;

  constructor(serviceUrl: string) {
    const digest = createHash('sha256').update(serviceUrl).digest('hex');
    this.#identifier = `zonewright-${digest.slice(0, identifierDigits)}`;
  }

  /** Whether the request has come from an edge of this installation too often. */
  has({ rawHeaders }: IncomingMessage): boolean {
    const passed = fieldIn(rawHeaders, 'cdn-loop');
    return passed !== undefined && this.#passages(passed) >= maxPassages;
  }

  /** The field that the next server gets. */
  field({ rawHeaders }: IncomingMessage): string {
    const passed = fieldIn(rawHeaders, 'cdn-loop');
    return passed === undefined ? this.#identifier : `${passed}, ${this.#identifier}`;
  }

  /** Identifiers may have parameters. */
  #passages(passed: string): number {
    const identifiers = passed.split(',').map((each) => each.split(';')[0]?.trim().toLowerCase());
    return identifiers.filter((each) => each === this.#identifier).length;
  }
}
