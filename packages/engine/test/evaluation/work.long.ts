import { expect } from 'chai';
import { threadClock } from '../../../gate/src/threads/thread-clock.ts';
import { type Engine, maxServingWork, parseFacts, type RequestFacts } from '../../src/index.ts';
import { okOf } from '../outcomes.ts';
import { engineOf } from '../zones.ts';
import { expensiveZones } from './expensive-zones.ts';

/** Milliseconds of processor time that no evaluation may take on a thread that serves. */
const longest = 20;

const now = threadClock();

/** The longest of the first evaluations: the first ones prepare patterns and lists. */
function longestOf(engine: Engine, facts: RequestFacts): number {
  const taken = Array.from({ length: 8 }, () => {
    const began = now();
    engine.evaluateWithin(maxServingWork, facts);
    return now() - began;
  });
  return Math.max(...taken);
}

describe('an evaluation on a thread that serves', function () {
  this.timeout(120_000);

  for (const [name, make] of Object.entries(expensiveZones))
    it(`is over within ${longest} ms if ${name}`, () => {
      const { draft, facts: written } = make();
      const facts = okOf(parseFacts({ ip: '192.0.2.1', country: 'DE', asn: 64_500, ...written }));
      // The first engine is for the compiler of JavaScript; the best of three, because collections of garbage take turns.
      longestOf(engineOf(draft), facts);
      const best = Math.min(...Array.from({ length: 3 }, () => longestOf(engineOf(draft), facts)));
      expect(best).to.be.lessThan(longest);
    });
});
