import { z } from 'zod';
import type { RejectedZone } from '../state/stored-table.ts';

const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const NamedZone = z.object({
  id: z.string().min(1),
  revision: z.int(),
  digest: Digest,
  hostnames: z.array(z.string()),
});
/** A zone that the edge should serve, as the feed names it. */
export type NamedZone = Readonly<z.output<typeof NamedZone>>;

const RemovedZone = z.object({ id: z.string().min(1), removed: z.literal(true) });

/** What has changed since a position. A feed of states: each zone appears once, as it is now. */
export const Changes = z.object({
  position: z.string().min(1),
  /** Whether there is more to ask for at once, after this position. */
  more: z.boolean().default(false),
  /** Whether the position was unknown, so that this is the whole state. */
  reset: z.boolean().default(false),
  /** Whether the service means to remove many zones at once. */
  shrink: z.boolean().default(false),
  zones: z.array(z.union([RemovedZone, NamedZone])),
});
export type Changes = Readonly<z.output<typeof Changes>>;

/** What an enrolment token is exchanged for. */
export const Enrolment = z.object({ name: z.string(), key: z.string().regex(/^zwe_[\x21-\x7e]{20,500}$/) });
export type Enrolment = Readonly<z.output<typeof Enrolment>>;

/** What an edge tells the service about itself; whole and idempotent. */
export interface StateReport {
  /** Of the program. */
  readonly version: string;
  readonly semantics: number;
  /** RFC 3339; tells two processes with one key apart. */
  readonly startedAt: string;
  /** Absent before the first whole state. */
  readonly position?: string | undefined;
  readonly zones: { readonly applied: number; readonly rejected: readonly RejectedZone[] };
  /** The highest sequence of a purge that was applied. */
  readonly purged: number;
  readonly proxy: { readonly kind: string; readonly version: string };
  /** Settings that this edge cannot act on. */
  readonly capabilities: readonly string[];
}
