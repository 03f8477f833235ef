import { parseConfiguration } from '@zonewright/engine';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { okOf } from '../../engine/test/outcomes.ts';
import { all, documentOf, originServer, type ZoneDraft } from '../../engine/test/zones.ts';
import { AnalysisCache, behaviourDiff, defaultBudget, findings } from '../src/index.ts';
import { mutatedZones } from './behaviour-soundness.ts';

const configurationOf = (draft: ZoneDraft) =>
  okOf(parseConfiguration(documentOf(draft), { originServers: [originServer] }));

describe('AnalysisCache', () => {
  it('never changes a result, even if the budget runs out', () => {
    const memory = new AnalysisCache();
    const states = fc.constantFrom(20, 60, 200, 1000, 50_000);
    fc.assert(
      fc.property(mutatedZones, states, fc.integer({ min: 2, max: 20 }), ([one, other], question, times) => {
        const budget = { question, answer: question * times };
        const [before, after] = [configurationOf(one), configurationOf(other)];
        for (const each of [before, after]) {
          expect(findings(each, budget, memory)).to.deep.equal(findings(each, budget));
        }
        expect(behaviourDiff(before, after, budget, memory)).to.deep.equal(behaviourDiff(before, after, budget));
      }),
      { numRuns: 15 },
    );
  });
});

describe('the clock of an analysis', () => {
  const hard = configurationOf({
    access: [{ action: 'block', conditions: all('uri matches ^/(a|b)*a(a|b){9}$', 'uri matches ^/(a|b)*b(a|b){9}$') }],
  });

  it('leaves questions undecided that take too long', () => {
    let time = 0;
    const clock = { now: () => (time += 1), question: 5, answer: 20 };
    const { complete, findings: found } = findings(hard, { ...defaultBudget, clock });
    expect(complete).to.equal(false);
    expect(found[0]).to.deep.include({ code: 'rule.neverMatches', verdict: 'undecided' });
  });

  it('changes nothing while there is time', () => {
    const clock = { now: () => 0, question: 5, answer: 20 };
    expect(findings(hard, { ...defaultBudget, clock })).to.deep.equal(findings(hard));
  });
});
