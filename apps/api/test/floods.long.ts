import { attackOn, expectOrder, fewConnections } from './abuse/attack.ts';
import { largePages, searchedHeader, searchedValue } from './abuse/largest-zone.ts';

describe('An account that floods a route with computing or large bodies', function () {
  this.timeout(60_000);
  const { zone, meanwhile } = attackOn();

  it('waits longer for evaluations than others do for what they ask', async () => {
    const request = { url: 'https://shop.example.com/', headers: [{ name: searchedHeader, value: searchedValue }] };
    const body = { request, patch: { zone_settings: { minifyHtml: true } } };
    expectOrder(await meanwhile('POST', () => ({ path: `/api/zones/${zone()}/evaluation`, body }), fewConnections));
  });

  it('waits longer for drafts', async () => {
    const body = JSON.stringify({ title: 'Flood', patch: { zone_settings: largePages(3, 3) } });
    expectOrder(await meanwhile('POST', () => ({ path: `/api/zones/${zone()}/change-sets`, body })));
  });
});
