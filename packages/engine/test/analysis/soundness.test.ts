import { expect } from 'chai';
import { checkBehaviour } from './behaviour-soundness.ts';
import { checkSoundness, faults, shareFound } from './soundness.ts';

describe('findings of generated zones', () => {
  it('are contradicted by no request', () => checkSoundness(40, 40));

  for (const fault of faults) {
    it(`name a seeded ${fault} nearly always`, () => expect(shareFound(fault, 15, 10)).to.be.at.least(0.95));
  }
});

describe('comparisons of generated zones', () => {
  it('are contradicted by no request', () => {
    const { complete, changes } = checkBehaviour(30, 40);
    expect(complete).to.be.greaterThan(15);
    expect(changes).to.be.greaterThan(15);
  });
});
