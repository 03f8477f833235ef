import { expect } from 'chai';
import { checkSoundness, faults, shareFound } from './soundness.ts';

describe('findings of generated zones', () => {
  it('are contradicted by no request', () => checkSoundness(40, 40));

  for (const fault of faults) {
    it(`name a seeded ${fault} nearly always`, () => expect(shareFound(fault, 20)).to.be.at.least(0.95));
  }
});
