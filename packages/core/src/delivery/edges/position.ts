import { z } from 'zod';

/**
 * Where an edge stands in the feed: everything up to `number` has been applied. The publication says which database gave
 * the number: in a restored backup, the same publication has another nonce.
 */
export interface FeedPosition {
  readonly number: number;
  readonly publication: number;
  readonly nonce: string;
  /** Whether it is in the middle of a whole state: then removals before it need not be known. */
  readonly isWhole: boolean;
}

const whole = 'whole';

/** A position as edges see it: opaque to them. */
export const positionText = ({ number, publication, nonce, isWhole }: FeedPosition): string =>
  [number, publication, nonce, ...(isWhole ? [whole] : [])].join('.');

const Digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const Parts = z.tuple([Digits, Digits, z.uuid(), z.literal(whole).optional()]);

/** Reads a position; undefined if it was never one of ours. */
export function parsePosition(text: string): FeedPosition | undefined {
  const parts = Parts.safeParse(text.split('.', 5));
  if (!parts.success) return undefined;
  const [number, publication, nonce, mark] = parts.data;
  return { number, publication, nonce, isWhole: mark === whole };
}
