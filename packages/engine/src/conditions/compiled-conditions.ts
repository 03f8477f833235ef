import type { MatcherMemory } from '../patterns/matcher-memory.ts';
import { canonicalTarget } from './canonical-value.ts';
import { type FieldSpelling, fieldOf } from './fields.ts';
import { type LeafTest, leafTest } from './leaf-test.ts';
import type { Logic } from './logic.ts';
import { isNegated, type OperatorSpelling, operatorOf } from './operators.ts';
import type { SeenSubjects, ShownSubject, SubjectTable } from './seen-subjects.ts';
import { type Tri, triOf } from './tri.ts';

/** One checked condition as it was written. */
export interface Leaf {
  readonly field: FieldSpelling;
  readonly operator: OperatorSpelling;
  /** "" where the field takes none. */
  readonly target: string;
  /** "" where the operator takes none. */
  readonly value: string;
}

/** A checked set of conditions. */
export interface ConditionSet {
  readonly logic: Logic;
  readonly leaves: readonly Leaf[];
}

/** What one condition says of a request. */
export interface LeafAnswer {
  /** Place among the conditions as written, from 0. */
  readonly index: number;
  readonly result: Tri;
  /** Left out when it is unknown. */
  readonly subject?: ShownSubject;
}

/** What a set of conditions says of a request. */
export interface ConditionsAnswer {
  readonly result: Tri;
  readonly leaves: readonly LeafAnswer[];
}

interface CompiledLeaf {
  readonly index: number;
  readonly subject: number;
  readonly test: LeafTest;
  readonly isNegated: boolean;
}

/** What all conditions of a configuration share. */
export interface ConditionSpace {
  readonly subjects: SubjectTable;
  readonly memory: MatcherMemory;
}

/** A set of conditions that is ready to be asked. */
export class CompiledConditions {
  readonly #isAnd: boolean;
  readonly #leaves: readonly CompiledLeaf[];

  constructor({ logic, leaves }: ConditionSet, { subjects, memory }: ConditionSpace) {
    this.#isAnd = logic === 'and';
    this.#leaves = leaves.map(({ field: spelling, operator: written, target, value }, index) => {
      const field = fieldOf(spelling);
      const operator = operatorOf(written);
      return {
        index,
        subject: subjects.numberOf(field, canonicalTarget(field, target)),
        test: leafTest(field, operator, value, memory),
        isNegated: isNegated(operator),
      };
    });
  }

  /** Evaluates every condition, also where one alone decides. */
  of(subjects: SeenSubjects): ConditionsAnswer {
    const decisive = this.#isAnd ? 'false' : 'true';
    let result: Tri = this.#isAnd ? 'true' : 'false';
    const leaves = this.#leaves.map((leaf) => {
      const answer = leafAnswer(leaf, subjects);
      if (answer.result === decisive || (answer.result === 'unknown' && result !== decisive)) result = answer.result;
      return answer;
    });
    return { result, leaves };
  }
}

function leafAnswer(
  { index, subject: number, test, isNegated: negated }: CompiledLeaf,
  subjects: SeenSubjects,
): LeafAnswer {
  const { values, shown } = subjects.at(number);
  if (values === undefined || shown === undefined) return { index, result: 'unknown' };
  return { index, result: triOf(test(values) !== negated), subject: shown };
}
