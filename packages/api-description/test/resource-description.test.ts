import { expect } from 'chai';
import { z } from 'zod';
import { link, readOnly, readOnlyMembers, timestamp, uuid } from '../src/resource-description.ts';

describe('readOnlyMembers', () => {
  const membersOf = (shape: z.ZodRawShape) =>
    readOnlyMembers({ type: 'Thing', title: 'thing', description: 'A thing.', schema: z.object(shape) });

  it('lists members that only the service writes', () => {
    const shape = {
      id: uuid('The id.'),
      name: z.string().meta({ description: 'The name.' }),
      zone: link('Zone', 'The zone.'),
      count: readOnly(z.int(), 'How many.'),
      createdAt: timestamp('When.'),
      expiresAt: timestamp('Until when.').meta({ readOnly: false }),
    };
    expect(membersOf(shape)).to.deep.equal(['id', 'count', 'createdAt']);
  });

  it('recognizes the mark on and inside optional members', () => {
    const shape = {
      inside: readOnly(z.string(), 'Inside.').optional(),
      outside: readOnly(z.string().optional(), 'Outside.'),
      neither: z.string().optional(),
    };
    expect(membersOf(shape)).to.deep.equal(['inside', 'outside']);
  });
});
