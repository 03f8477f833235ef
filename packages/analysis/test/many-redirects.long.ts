import { expect } from 'chai';
import { findings } from '../src/index.ts';
import { manyRedirects } from './many-redirects.ts';

describe('the time of findings of 300 redirects', () => {
  for (const { name, configuration } of manyRedirects) {
    // Of the 600 points that a caller has each minute, half a second takes 50.
    it(`is less than half a second of processor time: ${name}`, () => {
      const before = process.cpuUsage();
      findings(configuration);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).to.be.below(500);
    });
  }
});
