import { type Configuration, parseConfiguration } from '@zonewright/engine';
import { threadClock } from '@zonewright/gate';
import { expect } from 'chai';
import { okOf } from '../../engine/test/outcomes.ts';
import { type AnalysisBudget, behaviourDiff, defaultBudget, findings } from '../src/index.ts';
import { questionAbout, worstCases } from './worst-cases.ts';

/** Milliseconds of processor time: far below what these zones would take. */
const limit = 100;
/** The longest stretch without a look at the clock: a tenth of what an answer may take. */
const stretch = 200;

const now = threadClock();

/** The processor time of an answer with this limit, in milliseconds. */
function limited(answer: (budget: AnalysisBudget) => unknown): number {
  const began = now();
  answer({ ...defaultBudget, clock: { now, began, question: 50, answer: limit } });
  return now() - began;
}

describe('the clock of an analysis', () => {
  for (const [name, draft] of Object.entries(worstCases).filter(([each]) => !each.startsWith('the longest lists'))) {
    it(`is looked at often enough in a zone with ${name}`, () => {
      const [before, after] = [0, 1].map((variant): Configuration => {
        const { document, backends } = questionAbout(draft, variant);
        return okOf(parseConfiguration(document, backends));
      });
      if (before === undefined || after === undefined) throw new Error('There are two.');
      expect(limited((budget) => findings(before, budget))).to.be.lessThan(limit + stretch);
      expect(limited((budget) => behaviourDiff(before, after, budget))).to.be.lessThan(limit + stretch);
    });
  }
});
