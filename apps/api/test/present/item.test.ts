import { expect } from 'chai';
import { z } from 'zod';
import { membersOf } from '../../src/present/item.ts';

describe('membersOf', () => {
  const described = {
    type: 'Thing',
    title: 'thing',
    description: 'Something.',
    schema: z.object({ id: z.string(), note: z.string().optional(), at: z.string() }),
  };

  it('shows the members that the schema names, in its order, and nothing else, such as a secret', () => {
    const stored = { secret: 'hidden', at: 'noon', note: undefined, id: 'one' };
    expect(Object.entries(membersOf(described, stored))).to.deep.equal([
      ['id', 'one'],
      ['note', undefined],
      ['at', 'noon'],
    ]);
  });
});
