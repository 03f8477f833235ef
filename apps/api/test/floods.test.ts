import { expect } from 'chai';
import { attackOn, expectOrder } from './abuse/attack.ts';
import { largePages } from './abuse/largest-zone.ts';
import { recipes } from './abuse/recipes.ts';
import { named, routes } from './support/route-table.ts';

describe('Floods of routes', () => {
  it('have a recipe for every row of the route table, and no others', () => {
    expect(Object.keys(recipes).toSorted()).to.deep.equal(routes.map(named).toSorted());
  });
});

/**
 * The everyday part of `floods.long.ts`, and of `pnpm test abuse`, which floods all routes and measures. Here, only the
 * order is asserted.
 */
describe('An account that floods an expensive route', function () {
  this.timeout(60_000);
  const { zone, meanwhile } = attackOn();

  it('waits longer for comparisons of revisions', async () => {
    expectOrder(await meanwhile('GET', () => ({ path: `/api/zones/${zone()}/revisions/3/diff/4` })));
  });

  it('waits longer for changes of a large zone', async () => {
    const bodies = [4, 5].map((number) => JSON.stringify({ zone_settings: largePages(number, 1) }));
    expectOrder(
      await meanwhile('PATCH', (number) => ({ path: `/api/zones/${zone()}`, body: bodies[number % 2] ?? '' })),
    );
  });
});
