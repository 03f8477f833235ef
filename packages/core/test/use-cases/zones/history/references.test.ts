import { type JsonObject, mergePatch, RevisionNumber } from '@zonewright/core';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { readRevision } from '../../../../src/zones/revisions/read-revisions.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { aWorldWithHistory } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { everythingIn } from '../../../support/world.ts';

type Step = { readonly page: number } | { readonly name: number } | { readonly restore: number } | 'user';

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ page: fc.nat(9) }), weight: 3 },
  fc.record({ name: fc.nat(9) }),
  { arbitrary: fc.record({ restore: fc.nat() }), weight: 4 },
  fc.constant('user' as const),
);

/** A text of which another version is no small patch. */
const page = (number: number, size = 4000): JsonObject => ({
  zone_settings: { customPagesErrorHtml: `${number} ${'x'.repeat(size)}` },
});

/** Takes the steps, and records the state of the zone after each revision. */
async function taken(steps: readonly Step[]) {
  const arranged = await aWorldWithHistory();
  const { world, owner, zone, number, document, restore } = arranged;
  const states = new Map([[number(), await document()]]);
  for (const step of steps) {
    if (step === 'user') await aBasicAuthUser(world, owner, zone.id, `user ${states.size}`);
    else if ('restore' in step) await valueOf(restore([...states.keys()][step.restore % states.size]!));
    else {
      const patch = 'page' in step ? page(step.page) : { name: `zone ${step.name}` };
      await valueOf(updateZone(world)(owner, zone.id, patch, undefined));
    }
    states.set(number(), await document());
  }
  return { ...arranged, states };
}

describe('history of restorations', function () {
  this.timeout(30_000);

  it('has every state and every change, whatever is restored', async () => {
    const kinds = { references: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 25 }), async (steps) => {
        const { world, owner, zone, states } = await taken(steps);
        for (const [number, state] of states) {
          const { revision, state: found } = await valueOf(readRevision(world)(owner, zone.id, number));
          expect(found, `revision ${number}`).to.deep.equal(state);
          const before = states.get(RevisionNumber.parse(Math.max(1, number - 1)));
          if (number === 1) continue;
          expect(mergePatch(before, revision.patch.value)).to.deep.equal(state);
          expect(mergePatch(state, revision.inverse.value)).to.deep.equal(before);
        }
        const rows = everythingIn(world).revisions.get(zone.id) ?? [];
        kinds.references += rows.filter(({ restored }) => restored !== undefined).length;
      }),
      { numRuns: 60 },
    );
    expect(kinds.references).to.be.greaterThan(50);
  });

  it('stores at most 4 KB for each of 150 restorations of states of half a megabyte, and can read them', async () => {
    const { world, owner, zone, organization, number, document, restore } = await aWorldWithHistory();
    const used = async () =>
      (await valueOf(world.unitOfWork.view(({ storageQuotas }) => storageQuotas.of(organization)))).used;
    const states: JsonObject[] = [];
    for (const version of [1, 2]) {
      await valueOf(updateZone(world)(owner, zone.id, page(version, 250_000), undefined));
      states.push(await document());
    }
    const first = number() - 1;
    const sizes: number[] = [];
    for (let step = 0; step < 150; step += 1) {
      const before = await used();
      await valueOf(restore(RevisionNumber.parse(first + (step % 2))));
      sizes.push((await used()) - before);
    }
    expect(Math.max(...sizes)).to.be.below(4096);
    for (const last of [number(), RevisionNumber.parse(number() - 1)]) {
      const { state } = await valueOf(readRevision(world)(owner, zone.id, last));
      expect(state).to.deep.equal(states[(last - first) % 2]);
    }
  });

  it('stores of each revision either the state, the patch or a reference', async () => {
    const { world, owner, zone } = await aWorldWithHistory();
    for (let version = 0; version < 12; version += 1)
      await valueOf(updateZone(world)(owner, zone.id, page(version, 250_000), undefined));
    const rows = everythingIn(world).revisions.get(zone.id) ?? [];
    expect(rows.filter(({ snapshot }) => snapshot !== undefined)).to.have.length(4);
    for (const { snapshot, patch, restored } of rows)
      expect([snapshot, patch, restored].filter((part) => part !== undefined)).to.have.length(1);
  });
});
