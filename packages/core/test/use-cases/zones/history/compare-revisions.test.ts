import { mergePatch, RevisionNumber } from '@zonewright/core';
import { expect } from 'chai';
import { compareRevisions } from '../../../../src/zones/revisions/read-revisions.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aWorldWithHistory } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule } from '../../../support/rules.ts';

/** A zone with three revisions, and its document at each. */
const aWorldWithThree = async () => {
  const arranged = await aWorldWithHistory();
  const { world, owner, zone, document } = arranged;
  const states = [await document()];
  await aRule(world, owner, zone.id, 'a');
  states.push(await document());
  await valueOf(updateZone(world)(owner, zone.id, { zone_settings: { customPagesErrorHtml: 'x' } }, undefined));
  states.push(await document());
  const compare = compareRevisions(world);
  const compared = (from: number, to: number) =>
    valueOf(compare(owner, zone.id, RevisionNumber.parse(from), RevisionNumber.parse(to)));
  return { ...arranged, states, compare, compared };
};

describe('compareRevisions', () => {
  for (const from of [1, 2, 3]) {
    for (const to of [1, 2, 3]) {
      it(`returns patches from revision ${from} to ${to}, and back`, async () => {
        const { zone, states, compared } = await aWorldWithThree();
        const diff = await compared(from, to);
        expect([diff.zoneId, diff.from, diff.to]).to.deep.equal([zone.id, from, to]);
        expect(mergePatch(states[from - 1], diff.patch.value)).to.deep.equal(states[to - 1]);
        expect(mergePatch(states[to - 1], diff.inverse.value)).to.deep.equal(states[from - 1]);
      });
    }
  }

  it('returns minimal patches, and empty ones for equal revisions', async () => {
    const { compared } = await aWorldWithThree();
    expect(await compared(2, 3)).to.deep.include({
      patch: {
        text: '{"zone_settings":{"customPagesErrorHtml":"x"}}',
        value: { zone_settings: { customPagesErrorHtml: 'x' } },
      },
      inverse: {
        text: '{"zone_settings":{"customPagesErrorHtml":null}}',
        value: { zone_settings: { customPagesErrorHtml: null } },
      },
    });
    expect((await compared(2, 2)).patch.text).to.equal('{}');
  });
});
