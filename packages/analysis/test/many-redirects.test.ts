import { expect } from 'chai';
import { AnalysisCache, defaultBudget, findings } from '../src/index.ts';
import { manyRedirects } from './many-redirects.ts';

describe('findings of 300 redirects', () => {
  for (const { name, configuration } of manyRedirects) {
    it(`are decided by their literals: ${name}`, () => {
      const cache = new AnalysisCache();
      expect(findings(configuration, defaultBudget, cache)).to.deep.equal({ complete: true, findings: [] });
      // What the literals decide costs one state; a search in automata costs more.
      const searches = [...cache.values.values()].filter(({ states }) => states > 1);
      expect(searches).to.deep.equal([]);
      expect(cache.values.size).to.be.within(300, 600);
    });
  }
});
