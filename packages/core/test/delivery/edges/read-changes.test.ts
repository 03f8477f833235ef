import { expect } from 'chai';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { EdgeIdentity } from '../../../src/delivery/edges/edge.ts';
import { noPublications } from '../../../src/delivery/edges/no-publications.ts';
import type { FeedPage, FeedZone, Progress, Publications } from '../../../src/delivery/edges/ports.ts';
import { positionText } from '../../../src/delivery/edges/position.ts';
import { answerOf, readChanges, zonesPerAnswer } from '../../../src/delivery/edges/read-changes.ts';
import { okOf } from '../../results.ts';

const end = { number: 5000, publication: 7, nonce: '0190a000-0000-4000-8000-000000000000', isWhole: false };
const position = { ...end, number: 100, publication: 3 };

/** This many zones that an edge is to have, and after them zones that it is to remove. */
const zonesOf = (present: number, removals = 0): readonly FeedZone[] =>
  Array.from({ length: present + removals }, (_, index) => ({
    // Only compared.
    id: `zone-${index}` as FeedZone['id'],
    position: index + 1,
    document: index < present ? { revision: 1, digest: 'sha256:0', hostnames: [] } : undefined,
  }));
const page = (given: Partial<FeedPage>): FeedPage => ({ isKnown: true, end, zones: [], unchanged: 0, ...given });
const after = (given: Partial<FeedPage>) => answerOf(page(given), { isFirst: false, position, isCurrent: true });

describe('answerOf', () => {
  it('ends where the feed ends', () => {
    const zones = zonesOf(zonesPerAnswer);
    expect(after({ zones })).to.deep.equal({ position: end, more: false, reset: false, shrink: false, zones });
  });

  it('has at most a thousand zones, and then more after the last of them', () => {
    const zones = zonesOf(zonesPerAnswer + 1);
    const answer = after({ zones });
    expect([answer.more, answer.zones]).to.deep.equal([true, zones.slice(0, zonesPerAnswer)]);
    expect(answer.position).to.deep.equal({ ...end, number: zonesPerAnswer });
  });

  it('says of positions in a whole state that they are, until its end', () => {
    const zones = zonesOf(zonesPerAnswer + 1);
    const whole = { ...position, isWhole: true };
    for (const answer of [
      answerOf(page({ zones, isKnown: false }), { isFirst: true, position: undefined, isCurrent: true }),
      answerOf(page({ zones, isKnown: false }), { isFirst: false, position, isCurrent: true }),
      answerOf(page({ zones }), { isFirst: false, position: whole, isCurrent: true }),
    ])
      expect(answer.position.isWhole).to.equal(true);
    expect(
      answerOf(page({ zones: zonesOf(3) }), { isFirst: false, position: whole, isCurrent: true }).position,
    ).to.deep.equal(end);
  });

  it('says that there is more while something is not published yet, and goes on at the end of what is', () => {
    const behind = (given: Partial<FeedPage>, isFirst = false) =>
      answerOf(page(given), { isFirst, position, isCurrent: false });
    const zones = zonesOf(3);
    expect(behind({ zones })).to.deep.include({ more: true, position: end, zones });
    expect(behind({ zones }, true).position).to.deep.equal({ ...end, isWhole: true });
  });

  it('is a reset after a position that is not known, or never was one, but not without a position', () => {
    const unknown = page({ isKnown: false });
    expect(answerOf(unknown, { isFirst: false, position, isCurrent: true }).reset).to.equal(true);
    expect(answerOf(unknown, { isFirst: false, position: undefined, isCurrent: true }).reset).to.equal(true);
    expect(answerOf(unknown, { isFirst: true, position: undefined, isCurrent: true }).reset).to.equal(false);
  });

  for (const [removals, left, shrink] of [
    [10, 0, false],
    [11, 0, true],
    [11, 43, true],
    [11, 44, false],
    [12, 48, false],
  ] as const) {
    it(`${shrink ? 'says' : 'does not say'} that the loss of ${removals} of ${removals + left} zones is meant`, () => {
      expect(after({ zones: zonesOf(1, removals), unchanged: left }).shrink).to.equal(shrink);
    });
  }
});

describe('readChanges', () => {
  /** A service that is publishing: what its feed has, and how far it is, each time that it is asked. */
  const asking = async (pages: readonly FeedPage[], progress: readonly Progress[], waitSeconds = 0) => {
    const [left, steps] = [[...pages], [...progress]];
    const asked = { reads: 0, seconds: 0 };
    const edgeFeed = {
      changes: () => {
        asked.reads += 1;
        return okAsync(left.shift() ?? page({}));
      },
    };
    const unitOfWork = {
      view: <T, E>(read: (given: { edgeFeed: typeof edgeFeed }) => ResultAsync<T, E>) => read({ edgeFeed }),
    };
    const publications: Publications = {
      ...noPublications,
      catchUp: (seconds) => {
        asked.seconds = seconds;
        return { next: () => okAsync(steps.shift() ?? 'current') };
      },
    };
    // Only what reading uses.
    const read = readChanges({ unitOfWork, publications } as unknown as Parameters<typeof readChanges>[0]);
    const reader = { id: 'edge', name: 'edge', stage: 'main', tags: [], organizations: [] } as unknown as EdgeIdentity;
    const answer = okOf(await read(reader, { after: positionText(position), waitSeconds }));
    return { ...asked, more: answer.more, zones: answer.zones.length };
  };
  const [nothing, something] = [page({}), page({ zones: zonesOf(1) })];

  it('answers as soon as a batch has something for the edge, and says that more may follow', async () => {
    const { reads, more, zones } = await asking([nothing, something], ['behind', 'behind', 'behind']);
    expect([reads, more, zones]).to.deep.equal([2, true, 1]);
  });

  it('answers with nothing only once all is published, or time is over', async () => {
    const all = await asking([nothing, nothing], ['behind', 'current']);
    expect([all.reads, all.more, all.zones]).to.deep.equal([2, false, 0]);
    const late = await asking([nothing, nothing], ['behind', 'out of time'], 20);
    expect([late.reads, late.more, late.zones]).to.deep.equal([2, true, 0]);
  });

  it('waits for publishing as long as the edge does, and a second at least', async () => {
    expect((await asking([], ['current'], 20)).seconds).to.equal(20);
    expect((await asking([], ['current'])).seconds).to.equal(1);
  });
});
