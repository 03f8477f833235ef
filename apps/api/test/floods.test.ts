import { expect } from 'chai';
import { flood, type Probes, probe, type Victims } from './abuse/flood.ts';
import { expensiveRules, largePages, searchedHeader, searchedValue } from './abuse/largest-zone.ts';
import type { Flood } from './abuse/recipe.ts';
import { recipes } from './abuse/recipes.ts';
import { aVerifiedUser, aZone, type User, type ZoneBody } from './support/arrange.ts';
import { named, routes } from './support/route-table.ts';
import { openService, type TestService } from './support/service.ts';

describe('Floods of routes', () => {
  it('have a recipe for every row of the route table, and no others', () => {
    expect(Object.keys(recipes).toSorted()).to.deep.equal(routes.map(named).toSorted());
  });
});

const usualConnections = 12;
/** For requests that take half a second of computing each: every one that was sent is answered. */
const fewConnections = 4;
const milliseconds = 250;

/** The everyday part of `pnpm test:abuse`, which floods all routes and measures. Here, only the order is asserted. */
describe('An account that floods an expensive route', function () {
  this.timeout(60_000);
  let service: TestService;
  let attacker: User;
  let victims: Victims;
  let zone: ZoneBody;

  before(async () => {
    service = await openService({}, { threadLimits: {} });
    attacker = await aVerifiedUser(service);
    const [victim, asker] = [await aVerifiedUser(service), await aVerifiedUser(service)];
    victims = { victim, asker, zone: (await aZone(asker)).id };
    zone = await aZone(attacker);
    const rules = expensiveRules('accessRules', 8);
    const listed = await attacker.put(`/api/zones/${zone.id}/access-rules`, rules, { 'if-match': '*' });
    expect(listed.status, listed.text).to.equal(200);
    for (const number of [1, 2])
      await attacker.patch(`/api/zones/${zone.id}`, { zone_settings: largePages(number, 1) });
  });
  after(() => service.close());

  async function meanwhile(method: string, next: Flood, connections = usualConnections) {
    const probes = probe(service.url, victims);
    const target = { url: service.url, method, next };
    const { token } = attacker;
    const flooded = await flood(target, { tokens: [token, token] }, { connections, milliseconds });
    return { flooded, ...(await probes.stop()) };
  }

  /** The attacker waits for their own requests; others wait for none of them. */
  function expectOrder({ flooded, health, victim: other }: Probes & { readonly flooded: Probes['victim'] }): void {
    expect(Object.keys(other.statuses)).to.deep.equal(['200']);
    expect(Object.keys(health.statuses)).to.deep.equal(['200']);
    expect(other.p50).to.be.below(flooded.p50);
    expect(['200', '201', '422', '429', '503']).to.include.members(Object.keys(flooded.statuses));
  }

  it('waits longer for evaluations than others do for what they ask', async () => {
    const request = { url: 'https://shop.example.com/', headers: [{ name: searchedHeader, value: searchedValue }] };
    const body = { request, patch: { zone_settings: { minifyHtml: true } } };
    expectOrder(await meanwhile('POST', () => ({ path: `/api/zones/${zone.id}/evaluation`, body }), fewConnections));
  });

  it('waits longer for comparisons of revisions', async () => {
    expectOrder(await meanwhile('GET', () => ({ path: `/api/zones/${zone.id}/revisions/3/diff/4` })));
  });

  it('waits longer for drafts', async () => {
    const body = JSON.stringify({ title: 'Flood', patch: { zone_settings: largePages(3, 3) } });
    expectOrder(await meanwhile('POST', () => ({ path: `/api/zones/${zone.id}/change-sets`, body })));
  });

  it('waits longer for changes of a large zone', async () => {
    const bodies = [4, 5].map((number) => JSON.stringify({ zone_settings: largePages(number, 1) }));
    expectOrder(
      await meanwhile('PATCH', (number) => ({ path: `/api/zones/${zone.id}`, body: bodies[number % 2] ?? '' })),
    );
  });
});
