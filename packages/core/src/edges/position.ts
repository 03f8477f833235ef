import { z } from 'zod';

/**
 * Where an edge stands in the feed: everything up to `number` has been applied. The publication says which database gave
 * the number: in a restored backup, the same publication has another nonce.
 */
export interface FeedPosition {
  readonly number: number;
  readonly publication: number;
  readonly nonce: string;
}

/** A position as edges see it: opaque to them. */
export const positionText = ({ number, publication, nonce }: FeedPosition): string =>
  `${number}.${publication}.${nonce}`;

const Digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const Parts = z.tuple([Digits, Digits, z.uuid()]);

/** Reads a position; undefined if it was never one of ours. */
export function parsePosition(text: string): FeedPosition | undefined {
  const parts = Parts.safeParse(text.split('.', 4));
  if (!parts.success) return undefined;
  const [number, publication, nonce] = parts.data;
  return { number, publication, nonce };
}
