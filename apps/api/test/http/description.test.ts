import { expect } from 'chai';
import { z } from 'zod';
import { link, readOnly, readOnlyMembers, timestamp, uuid } from '../../src/resources/description.ts';

describe('readOnlyMembers', () => {
  const membersOf = (shape: z.ZodRawShape) =>
    readOnlyMembers({ type: 'Thing', title: 'thing', description: 'A thing.', schema: z.object(shape) });

  it('names what only the service writes, and nothing that clients write', () => {
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

  it('sees through optional members, wherever it is said', () => {
    const shape = {
      inside: readOnly(z.string(), 'Inside.').optional(),
      outside: readOnly(z.string().optional(), 'Outside.'),
      neither: z.string().optional(),
    };
    expect(membersOf(shape)).to.deep.equal(['inside', 'outside']);
  });
});
