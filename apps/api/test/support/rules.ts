import { expect } from 'chai';
import type { Reply } from './client.ts';

/** A rule and its position in the list. */
export interface Position {
  readonly id: string;
  readonly order: number;
}

/** An item of `Rule-Positions` (RFC 9651 section 3.1.2): a string with an integer parameter. */
const item = /^"([0-9a-f-]{36})";order=([1-9][0-9]*)$/;

/** The positions in a response's `Rule-Positions`; empty without the field. */
export function positionsIn({ headers }: Reply): readonly Position[] {
  const field = headers.get('rule-positions');
  if (field === null) return [];
  return field.split(', ').map((text) => {
    const [, id, order] = item.exec(text) ?? expect.fail(`no position: ${text}`);
    return { id: id ?? '', order: Number(order) };
  });
}

/** Rules whose position differs from the previous list, including new ones. */
export function positionsThatDiffer(before: readonly Position[], after: readonly Position[]): readonly Position[] {
  const old = new Map(before.map(({ id, order }) => [id, order]));
  return after.filter(({ id, order }) => old.get(id) !== order).map(({ id, order }) => ({ id, order }));
}
