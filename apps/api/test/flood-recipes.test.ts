import { expect } from 'chai';
import { recipes } from './abuse/recipes.ts';
import { named, routes } from './support/route-table.ts';

describe('Floods of routes', () => {
  it('have a recipe for every row of the route table, and none else', () => {
    expect(Object.keys(recipes).toSorted()).to.deep.equal(routes.map(named).toSorted());
  });
});
