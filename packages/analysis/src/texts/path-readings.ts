import { marks } from './address-words.ts';
import { type Automaton, commonLabels, labelsOf } from './automaton.ts';
import { containing } from './literals.ts';
import { matching } from './pattern-automaton.ts';

/** Paths in which several slashes follow each other. */
export const withSlashRuns = (): Automaton => containing('//');

/** Paths that origin servers could read as other ones (`isAmbiguousPath`). */
export const ambiguousPaths = (): Automaton => matching(['%2F', '%5C', '%00', '\\\\', '/\\.\\.?;']);

const slash = 0x2f;
const modes = 3;
/** Whether a part other than the path is read, a path, or a path after a slash. */
const mode = { elsewhere: 0, inPath: 1, afterSlash: 2 } as const;

/** Addresses that are in the set once the slashes of their paths are merged. */
export const beforeMerging = (set: Automaton): Automaton => ({
  start: modes * set.start + mode.elsewhere,
  step(state, symbol) {
    const [inner, at] = [Math.floor(state / modes), state % modes];
    if (symbol === slash && at === mode.afterSlash) return state;
    const next = modes * set.step(inner, symbol);
    if (symbol === marks.path) return next + mode.inPath;
    if (symbol === marks.query || at === mode.elsewhere) return next + mode.elsewhere;
    return next + (symbol === slash ? mode.afterSlash : mode.inPath);
  },
  accepts: (state) => set.accepts(Math.floor(state / modes)),
  fate: (state) => set.fate(Math.floor(state / modes)),
  labels: commonLabels([labelsOf([slash, ...Object.values(marks)]), set.labels]),
  weight: set.weight,
});
