import { expect } from 'chai';
import { shareBounds } from '../../src/shares/bounds.ts';
import { ZoneShares } from '../../src/shares/zone-shares.ts';

const mebibyte = 1024 * 1024;

/** Shares with a clock that only the test moves. */
function clocked() {
  const clock = { now: 0 };
  const shares = new ZoneShares(shareBounds, () => clock.now);
  const evaluate = (id: string, milliseconds: number) => {
    clock.now += milliseconds;
    shares.of(id).evaluation.charge(milliseconds);
  };
  return { clock, shares, evaluate };
}

describe('The share of a zone in evaluations', () => {
  it('is used up by long ones, of that zone alone, and comes back with time', () => {
    const { clock, shares, evaluate } = clocked();
    for (let count = 0; count < 4; count += 1) evaluate('slow', 60);
    expect([shares.of('slow').evaluation.isUsedUp, shares.of('other').evaluation.isUsedUp]).to.deep.equal([
      true,
      false,
    ]);
    clock.now += 500;
    expect(shares.of('slow').evaluation.isUsedUp).to.equal(false);
    evaluate('slow', 10_000);
    clock.now += 1900;
    expect(shares.of('slow').evaluation.isUsedUp).to.equal(true);
    clock.now += 200;
    expect(shares.of('slow').evaluation.isUsedUp).to.equal(false);
  });

  it('bounds a zone that does nothing else to about a tenth of the time', () => {
    const { clock, shares, evaluate } = clocked();
    let used = 0;
    while (clock.now < 60_000) {
      if (shares.of('slow').evaluation.isUsedUp) clock.now += 1;
      else {
        evaluate('slow', 20);
        used += 20;
      }
    }
    expect(used).to.be.within(5500, 6500);
  });

  it('is not used up by any number of usual ones', () => {
    const { shares, evaluate } = clocked();
    for (let count = 0; count < 100_000; count += 1) evaluate('busy', 0.09);
    expect(shares.of('busy').evaluation.isUsedUp).to.equal(false);
  });
});

describe('The share of a zone in held bytes', () => {
  it('ends with its own bound, or with that of all zones', () => {
    const { shares } = clocked();
    expect(shares.of('a').bytes.take(32 * mebibyte)).to.equal(true);
    expect(shares.of('a').bytes.take(1)).to.equal(false);
    shares.of('a').bytes.give(1);
    expect(shares.of('b').bytes.take(32 * mebibyte)).to.equal(true);
    expect(shares.of('e').bytes.take(1)).to.equal(false);
  });
});

describe('Shares of zones', () => {
  it('are forgotten when there are many and nothing of them is used', () => {
    const { clock, shares, evaluate } = clocked();
    const place = shares.of('kept').originRequests.enter('a', { entered: () => {}, waitedTooLong: () => {} });
    evaluate('owing', 1000);
    for (let id = 0; id < 2000; id += 1) shares.of(String(id));
    expect(shares.size).to.be.lessThan(1100);
    expect(shares.of('owing').evaluation.isUsedUp).to.equal(true);
    expect(shares.of('kept').originRequests.isEmpty).to.equal(false);
    place?.leave();
    clock.now += 1;
  });
});
