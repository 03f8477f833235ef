import type { ZoneEvaluation } from '@zonewright/core';
import { expect } from 'chai';
import { withShownSubjects } from '../../src/present/shown-subjects.ts';

const subject = [`/${'a'.repeat(6000)}`];

/** An evaluation in which this many rules have matched 25 conditions each against the same long address. */
const evaluationBy = (rules: number): ZoneEvaluation['evaluation'] => ({
  constantsVersion: 1,
  disposition: 'serve',
  dispositions: ['serve'],
  phases: [
    {
      phase: 'accessRules',
      ends: 'false',
      skips: [],
      steps: Array.from({ length: rules }, (_, index) => ({
        rule: `rule-${index}`,
        name: `Rule ${index}`,
        order: index + 1,
        action: 'block',
        outcome: 'notMatched',
        leaves: Array.from({ length: 25 }, (_, leaf) => ({ index: leaf, result: 'false', subject })),
      })),
    },
  ],
});

describe('The subjects in an evaluation', () => {
  it('are shown whole as long as they are few', () => {
    const evaluation = evaluationBy(0);
    expect(withShownSubjects(evaluation)).to.equal(evaluation);
  });

  it('are shown by their length beyond 100,000 characters', () => {
    const evaluation = evaluationBy(100);
    const shown = JSON.stringify(withShownSubjects(evaluation));
    expect(JSON.stringify(evaluation).length).to.be.greaterThan(15_000_000);
    expect(shown.length).to.be.lessThan(400_000);
    expect(shown.match(/"subject":\["/g)).to.have.length(16);
    expect(shown.match(/"subject":\[\{"length":6001\}\]/g)).to.have.length(2484);
  });
});
