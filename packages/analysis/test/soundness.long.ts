import { expect } from 'chai';
import { seededChanges, shareOfChanges } from './behaviour-changes.ts';
import { checkBehaviour } from './behaviour-soundness.ts';
import { checkSoundness, faults, shareFound } from './soundness.ts';

describe('findings of many generated zones', () => {
  it('are contradicted by no request', () => checkSoundness(300, 40));

  for (const fault of faults) {
    it(`name a seeded ${fault} nearly always`, () => expect(shareFound(fault, 60, 10)).to.be.at.least(0.95));
  }
});

describe('comparisons of many generated zones', () => {
  for (const name of Object.keys(seededChanges) as (keyof typeof seededChanges)[]) {
    it(`find ${name} nearly always`, () => {
      const { found, complete, count } = shareOfChanges(name, 50, 10);
      expect(count).to.be.greaterThan(20);
      expect(Math.min(found, complete)).to.be.at.least(0.95);
    });
  }

  it('are contradicted by no request', () => {
    const { complete, changes } = checkBehaviour(200, 40);
    expect(complete).to.be.greaterThan(100);
    expect(changes).to.be.greaterThan(100);
  });
});
