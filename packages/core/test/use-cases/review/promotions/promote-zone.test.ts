import { PromotionDraft, useCases, utf8Bytes } from '@zonewright/core';
import { expect } from 'chai';
import { aMember, anOrganization } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aWorld } from '../../../support/world.ts';
import { aZoneDraft } from '../../../support/zones.ts';

const page = '<p>Ünïcode</p>'.repeat(1000);

/** A zone with a long page, which has been promoted into an empty one. */
async function aPromotion() {
  const world = aWorld();
  const cases = useCases(world);
  const organization = anOrganization(world);
  const owner = aMember(world, organization, 'owner');
  const stored = async () =>
    (await valueOf(world.unitOfWork.view(({ storageQuotas }) => storageQuotas.of(organization)))).used;
  const target = await valueOf(cases.createZone(owner, aZoneDraft()));
  const settings = { zone_settings: { customPagesErrorHtml: page } };
  const source = await valueOf(cases.createZone(owner, aZoneDraft({ name: 'Source', ...settings })));
  const before = await stored();
  const draft = PromotionDraft.parse({ from: source.id });
  const outcome = await valueOf(cases.promoteZone(owner, target.id, draft, { target: undefined, source: undefined }));
  if (outcome.kind === 'nothing') throw new Error('There is something to promote.');
  const { changeSet } = outcome.promotion;
  const read = async () => (await valueOf(cases.readChangeSet(owner, target.id, changeSet))).set;
  return { cases, owner, source, target, changeSet, read, growth: (await stored()) - before };
}

describe('promoteZone', () => {
  it('counts the whole patch towards the quota of the organization', async () => {
    const { read, growth } = await aPromotion();
    const { patch } = await read();
    expect(growth).to.be.within(utf8Bytes(page), utf8Bytes(patch.text) + 2000);
  });

  it('creates a change set that needs its source no more', async () => {
    const { cases, owner, source, target, changeSet, read } = await aPromotion();
    const { patch } = await read();
    await valueOf(cases.deleteZone(owner, source.id, undefined));
    expect((await read()).patch.text).to.equal(patch.text);
    await valueOf(cases.applyChangeSet(owner, target.id, changeSet, undefined));
    const { zone } = await valueOf(cases.readZone(owner, target.id));
    expect(zone.settings.value).to.deep.include({ customPagesErrorHtml: page });
  });
});
