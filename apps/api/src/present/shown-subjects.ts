import type { ZoneEvaluation } from '@zonewright/core';

type Evaluation = ZoneEvaluation['evaluation'];
type Phase = NonNullable<Evaluation['phases']>[number];
type Leaf = NonNullable<Extract<Phase, { readonly steps: unknown }>['steps'][number]['leaves']>[number];
type Value = NonNullable<Leaf['subject']>[number];

/** Shorter values are always shown. */
const longCharacters = 200;
/** Characters of long values that are shown: hundreds of conditions may be about the same address of 8,000. */
const shownCharacters = 100_000;

/** Shows the first long values that conditions are matched against, and of any others only the length. */
export function withShownSubjects(evaluation: Evaluation): Evaluation {
  const { phases } = evaluation;
  if (phases === undefined || phases.reduce((sum, phase) => sum + longIn(phase), 0) <= shownCharacters)
    return evaluation;
  let left = shownCharacters;
  const shown = (value: Value): Value => {
    const length = lengthOf(value);
    left -= length;
    return left >= 0 || length === 0 ? value : { length };
  };
  return { ...evaluation, phases: phases.map((phase) => withValues(phase, shown)) };
}

/** The length of a long value; 0 for others. */
const lengthOf = (value: Value): number =>
  typeof value === 'string' && value.length > longCharacters ? value.length : 0;

const leavesOf = (phase: Phase): readonly Leaf[] =>
  'steps' in phase ? phase.steps.flatMap(({ leaves = [] }) => leaves) : [];

const longIn = (phase: Phase): number =>
  leavesOf(phase).reduce((sum, { subject = [] }) => sum + subject.reduce((all, value) => all + lengthOf(value), 0), 0);

function withValues(phase: Phase, shown: (value: Value) => Value): Phase {
  if (!('steps' in phase)) return phase;
  const steps = phase.steps.map((step) => ({
    ...step,
    ...(step.leaves && { leaves: step.leaves.map((leaf) => withSubject(leaf, shown)) }),
  }));
  // The steps are of the same phase: only values that they show are others.
  return { ...phase, steps } as Phase;
}

const withSubject = (leaf: Leaf, shown: (value: Value) => Value): Leaf =>
  leaf.subject === undefined ? leaf : { ...leaf, subject: leaf.subject.map(shown) };
