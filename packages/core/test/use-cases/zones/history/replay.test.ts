import { type JsonObject, utf8Bytes } from '@zonewright/core';
import { expect } from 'chai';
import { readRevision } from '../../../../src/zones/revisions/read-revisions.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aWorldWithHistory } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { everythingIn } from '../../../support/world.ts';

/** Applies each patch as a change of the zone; resolves to what must be read to reconstruct each state. */
async function trailsOf(patches: readonly JsonObject[]) {
  const { world, owner, zone, number, document } = await aWorldWithHistory();
  const trails = [];
  for (const patch of patches) {
    await valueOf(updateZone(world)(owner, zone.id, patch, undefined));
    const trail = await valueOf(world.unitOfWork.view(({ history }) => history.trail(zone.id, number())));
    const { state } = await valueOf(readRevision(world)(owner, zone.id, number()));
    expect(state).to.deep.equal(await document());
    trails.push({
      patches: trail.length - 1,
      bytes: trail.reduce((sum, { patch }) => sum + utf8Bytes(patch?.text ?? ''), 0),
    });
  }
  return trails;
}

const change = (customPagesErrorHtml: string): JsonObject => ({ zone_settings: { customPagesErrorHtml } });

describe('reconstruction of a state', () => {
  it('takes at most 1 MB of patches', async () => {
    const pages = Array.from({ length: 20 }, (_, index) => change(`${index}${'é'.repeat(100_000)}`));
    const trails = await trailsOf(pages);
    for (const { bytes } of trails) expect(bytes).to.be.at.most(1_000_000);
    expect(trails.filter(({ patches }) => patches === 0)).to.have.length(4);
  });

  it('takes fewer than 1000 patches', async () => {
    const { world, owner, zone } = await aWorldWithHistory();
    for (let page = 0; page < 10; page += 1)
      await valueOf(updateZone(world)(owner, zone.id, change(`page ${page}`), undefined));
    const costs = (everythingIn(world).revisions.get(zone.id) ?? []).map(({ replayBytes }) => replayBytes);
    expect(costs).to.deep.equal(Array.from({ length: 11 }, (_, patches) => (1_000_000 / 1000) * patches));
  });
});
