import { administration, type LimitChanges, OrganizationId, usageLimitsWith } from '@zonewright/core';
import { expect } from 'chai';
import { aRule, aVerifiedUser, aZone, rulesOf, someConditions, type User, type ZoneBody } from './support/arrange.ts';
import { expectProblem } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

describe('Limits of an organization', () => {
  let service: MemoryService;
  let ada: User;

  before(async () => {
    service = await openMemoryService({ usageLimits: usageLimitsWith({ configurationRules: 2 }) });
    ada = await aVerifiedUser(service);
  });
  after(() => service.close());

  const limit = (changes: LimitChanges) =>
    administration(service).changeOrganizationLimits(
      { network: undefined, userAgent: 'test' },
      OrganizationId.parse(ada.organization),
      changes,
    );

  const oneMore = (zone: ZoneBody) => ada.post(rulesOf(zone), { name: 'one more', conditions: someConditions() });

  it('apply immediately, are named in rejections, and change the entity tag of the response', async () => {
    const zone = await aZone(ada);
    const path = `/api/zones/${zone.id}`;
    await aRule(ada, zone);
    await aRule(ada, zone);
    const refused = await oneMore(zone);
    expectProblem(refused, 422, 'validation-failed', [': zone.configurationRules.limit']);
    expect(refused.text).to.include('A zone can have at most 2 configuration rules. Operators can raise this limit.');
    const before = await ada.get(path);
    const tag = before.headers.get('etag') ?? '';
    expect(tag).to.match(/^"3;u[0-9a-f]{8}"$/);
    await limit({ configurationRules: 3 });
    const after = await ada.get(path, { 'if-none-match': tag });
    expect(after.status).to.equal(200);
    expect((after.json() as { usage: object }).usage).to.deep.include({ configurationRules: { used: 2, limit: 3 } });
    const written = await ada.patch(path, { zone_settings: { minifyHtml: true } }, { 'if-match': tag });
    expect(written.status, written.text).to.equal(200);
    await aRule(ada, zone);
    const again = await oneMore(zone);
    expect(again.text).to.include('A zone can have at most 3 configuration rules.');
  });

  it('need no variant of the entity tag at their defaults', async () => {
    await limit({ configurationRules: 100 });
    const zone = await aZone(ada);
    expect((await ada.get(`/api/zones/${zone.id}`)).headers.get('etag')).to.equal('"1"');
  });
});
