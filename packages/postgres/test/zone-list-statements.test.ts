import { type OrganizationId, type ZoneFilter, type ZoneSort, zoneSortKeys } from '@zonewright/core';
import { expect } from 'chai';
import { statement } from '../src/connection/statement.ts';
import { openDatabase, PostgresUnitOfWork } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';
import { testBoxes } from './support/postgres-storage.ts';

const directions = [undefined, 'asc', 'desc'] as const;

/** Every combination of keys and directions, with the keys in one order. */
const sorts = zoneSortKeys.reduce<readonly (readonly ZoneSort[])[]>(
  (all, key) =>
    all.flatMap((sort) =>
      directions.map((direction) => (direction === undefined ? sort : [...sort, { key, direction }])),
    ),
  [[]],
);

const organizations = [1 as OrganizationId];
const filters: readonly ZoneFilter[] = [
  { organizations, tags: [], search: undefined },
  { organizations, tags: ['prod'], search: undefined },
  { organizations, tags: [], search: 'a' },
  { organizations, tags: ['prod'], search: 'a' },
];

describe('the statements that list zones', () => {
  it('all run on one connection with generic plans, whatever they sort and filter by', async function () {
    this.timeout(30_000);
    const names = new Set<string>();
    const database = openDatabase({
      url: await migratedDatabase(),
      connections: 1,
      onStatement: ({ name = '' }) => names.add(name),
    });
    const unitOfWork = new PostgresUnitOfWork(database, testBoxes());
    const listed = sorts.flatMap((sort) => filters.map((filter) => ({ filter, sort })));
    try {
      for (const { filter, sort } of listed) {
        const page = await unitOfWork.view(({ zones }) => zones.list(filter, sort, { page: 1, itemsPerPage: 1 }));
        expect(page.isOk()).to.equal(true);
      }
      const planned = await database.one<{ readonly anew: number }>(
        'SELECT sum(custom_plans)::int AS anew FROM pg_prepared_statements',
      );
      expect(planned.anew).to.equal(0);
    } finally {
      await database.$pool.end();
    }
    expect(listed).to.have.lengthOf(324);
    expect([...names].filter((name) => name.startsWith('zones/list'))).to.have.lengthOf(4);
  });
});

describe('statement', () => {
  it('accepts a name of 63 bytes, which PostgreSQL keeps, and no longer one', () => {
    expect(() => statement('é'.repeat(31) + 'e', 'SELECT 1')).not.to.throw();
    expect(() => statement('é'.repeat(32), 'SELECT 1')).to.throw('63 bytes');
  });
});
