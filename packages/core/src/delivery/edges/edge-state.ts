import { z } from 'zod';
import { parsePosition } from './position.ts';

const shortText = z.string().max(200);

/** A document that an edge does not use. */
const Rejected = z.object({
  id: z.uuid().overwrite((id) => id.toLowerCase()),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  code: z
    .string()
    .regex(/^[a-z]+\.[a-zA-Z]+$/)
    .max(50),
  message: z.string().max(500),
});
export type RejectedDocument = Readonly<z.output<typeof Rejected>>;

/** Rejections that one report can have. */
const maxRejected = 10_000;

/** What an edge says about itself: whole, not what has changed. */
export const StateReport = z.object({
  version: shortText,
  semantics: z.int().min(1),
  /** Tells two processes with one key apart. */
  startedAt: z.string().max(40),
  position: z.string().max(200).transform(parsePosition).optional(),
  zones: z.object({ applied: z.int().min(0), rejected: z.array(Rejected).max(maxRejected) }),
  purged: z.int().min(0),
  proxy: z.object({ kind: shortText, version: shortText }),
  capabilities: z.array(shortText).max(100),
});
export type StateReport = z.output<typeof StateReport>;

/** The last report of an edge. */
export interface EdgeState extends Omit<StateReport, 'position' | 'zones'> {
  readonly zones: { readonly applied: number; readonly rejected: readonly RejectedDocument[] };
  readonly reportedAt: Date;
  readonly secondsAgo: number;
  /** Undefined: none, or one that this database does not know. */
  readonly position: number | undefined;
}
