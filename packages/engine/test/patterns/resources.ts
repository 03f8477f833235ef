import { defaultPatternMemory, PatternMemory, type PatternResources } from '../../src/patterns/pattern-memory.ts';
import { Work } from '../../src/work.ts';

/** Memory in bytes, and work without a limit. */
export const resourcesOf = (bytes = defaultPatternMemory): PatternResources => ({
  memory: new PatternMemory(bytes),
  work: new Work(),
});
