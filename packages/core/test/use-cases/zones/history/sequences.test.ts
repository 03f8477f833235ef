import { type JsonObject, mergePatch, type RevisionNumber, ruleKindNames } from '@zonewright/core';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { compareRevisions, readRevision } from '../../../../src/zones/revisions/read-revisions.ts';
import { restoreRevision } from '../../../../src/zones/revisions/restore-revision.ts';
import { aWorldWithHistory, revisionsOf } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { listOf, rulesIn } from '../../../support/rules.ts';
import { everythingIn, inTables } from '../../../support/world.ts';
import { actionOf, anyZoneChange, makeChange, type ZoneChange } from '../../../support/zone-changes.ts';

/** When to stop, and whether a revision costs so much to replay that the next one is a snapshot. */
interface Course {
  readonly last?: number;
  readonly costlyAt?: number;
}

/** Makes the changes up to a revision, and records the state of the zone after each. */
async function lived(changes: readonly ZoneChange[], { last = Number.POSITIVE_INFINITY, costlyAt }: Course = {}) {
  const arranged = await aWorldWithHistory();
  const { number, document } = arranged;
  const states = new Map<RevisionNumber, JsonObject>([[number(), await document()]]);
  const actions = new Map<RevisionNumber, string>([[number(), 'zone.created']]);
  for (const change of changes) {
    const before = number();
    if (before >= last) break;
    if (before === costlyAt) makeCostly(arranged);
    await makeChange(arranged, change);
    const after = number();
    const now = await document();
    // Every change creates exactly one revision, unless it is refused or changes nothing.
    if (after === before) expect(now).to.deep.equal(states.get(before));
    else {
      expect(after).to.equal(before + 1);
      actions.set(after, actionOf(change));
    }
    states.set(after, now);
  }
  return { ...arranged, states, actions };
}

/** As if thousands of bytes had been changed since the latest snapshot. */
const makeCostly = ({ world, zone }: Pick<Awaited<ReturnType<typeof aWorldWithHistory>>, 'world' | 'zone'>): void =>
  inTables(world, ({ revisions }) => {
    const rows = revisions.get(zone.id) ?? [];
    revisions.set(
      zone.id,
      rows.map((row, index) => (index === rows.length - 1 ? { ...row, replayBytes: 1_000_000 } : row)),
    );
  });

type Lived = Awaited<ReturnType<typeof lived>>;

/** Every state can be reconstructed, and each patch leads from one to the next and back. */
async function isRemembered({ world, owner, zone, states, actions }: Lived): Promise<void> {
  const revisions = await revisionsOf(world, owner, zone.id);
  expect(revisions.map(({ number, action }) => [number, action])).to.deep.equal([...actions].toReversed());
  for (const [number, state] of states) {
    const details = await valueOf(readRevision(world)(owner, zone.id, number));
    expect(details.state, `revision ${number}`).to.deep.equal(state);
    const { patch, inverse } = details.revision;
    const before = states.get((number - 1) as RevisionNumber);
    expect(mergePatch(before, patch.value)).to.deep.equal(state);
    if (before !== undefined) expect(mergePatch(state, inverse.value)).to.deep.equal(before);
  }
}

const settingsAndRules = ({ name: _, tag: __, basicAuthUsers: ___, ...rest }: JsonObject): JsonObject => rest;

describe('history', function () {
  this.timeout(30_000);

  it('can reconstruct every state of a zone, whatever is done to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyZoneChange, { maxLength: 30 }), async (changes) => {
        await isRemembered(await lived(changes));
      }),
      { numRuns: 40 },
    );
  });

  it('can reconstruct every state before, at and after a snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        // Seeded rather than shrunk: dozens of changes would not help as a counterexample.
        const scene = await lived(fc.sample(anyZoneChange, { seed, numRuns: 300 }), { last: 60, costlyAt: 30 });
        await isRemembered(scene);
        const rows = everythingIn(scene.world).revisions.get(scene.zone.id) ?? [];
        const whole = rows.flatMap(({ number, snapshot }) => (snapshot === undefined ? [] : [{ number, snapshot }]));
        expect(whole.length).to.be.greaterThan(1);
        for (const { number, snapshot } of whole)
          expect(snapshot.value).to.deep.equal(scene.states.get(number as RevisionNumber));
      }),
      { numRuns: 3 },
    );
  });

  it('computes the difference between any two states', async () => {
    const pair = fc.tuple(fc.nat(), fc.nat());
    await fc.assert(
      fc.asyncProperty(fc.array(anyZoneChange, { minLength: 1, maxLength: 30 }), pair, async (changes, picks) => {
        const { world, owner, zone, states } = await lived(changes);
        const all = [...states];
        const [[from, before], [to, after]] = picks.map((pick) => all[pick % all.length]!) as [
          [RevisionNumber, JsonObject],
          [RevisionNumber, JsonObject],
        ];
        const { patch, inverse } = await valueOf(compareRevisions(world)(owner, zone.id, from, to));
        expect(mergePatch(before, patch.value)).to.deep.equal(after);
        expect(mergePatch(after, inverse.value)).to.deep.equal(before);
      }),
      { numRuns: 60 },
    );
  });

  it('can restore settings and rules of any state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyZoneChange, { maxLength: 30 }), fc.nat(), async (changes, pick) => {
        const { world, owner, zone, states, number, document } = await lived(changes);
        const [then, state] = [...states][pick % states.size]!;
        const [last, now] = [number(), await document()];
        await valueOf(restoreRevision(world)(owner, zone.id, then, undefined));
        const after = await document();
        expect(settingsAndRules(after)).to.deep.equal(settingsAndRules(state));
        const { name, tag, basicAuthUsers } = now;
        expect(after).to.deep.include({ name, tag, basicAuthUsers });
        expect(number()).to.equal(last + 1);
        for (const kind of ruleKindNames) {
          const orders = (await rulesIn(world, listOf(zone, kind))).map(({ order }) => order);
          expect(orders).to.deep.equal(orders.map((_, index) => index + 1));
        }
      }),
      { numRuns: 60 },
    );
  });
});
