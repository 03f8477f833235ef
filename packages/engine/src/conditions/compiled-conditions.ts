import type { PatternResources } from '../patterns/pattern-memory.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import type { Work } from '../work.ts';
import { canonicalTarget } from './canonical-value.ts';
import { type FieldSpelling, fieldOf } from './fields.ts';
import { type LeafTest, leafTest } from './leaf-test.ts';
import type { Logic } from './logic.ts';
import { isNegated, type OperatorSpelling, operatorOf } from './operators.ts';
import type { LeafAnswer, RequestSubjects, SubjectTable } from './request-subjects.ts';
import type { Subject } from './subjects.ts';
import { type Tri, triOf } from './tri.ts';

/** A validated condition as written. */
export interface Leaf {
  readonly field: FieldSpelling;
  readonly operator: OperatorSpelling;
  /** "" if the field takes none. */
  readonly target: string;
  /** "" if the operator takes none. */
  readonly value: string;
}

/** A validated set of conditions. */
export interface ConditionSet {
  readonly logic: Logic;
  readonly leaves: readonly Leaf[];
}

interface CompiledLeaf {
  readonly index: number;
  readonly subject: number;
  readonly isNegated: boolean;
  readonly make: () => LeafTest;
  /** Made when a request first has a value to test; kept also if that evaluation is refused. */
  test: LeafTest | undefined;
}

/** What the conditions of a configuration share. */
export interface ConditionSpace extends PatternResources {
  readonly subjects: SubjectTable;
}

/** Work for a condition besides that of its operator, which has a unit for each value of the subject. */
const workForLeaf = 10;

/** A compiled set of conditions. */
export class CompiledConditions {
  readonly #isAnd: boolean;
  readonly #leaves: readonly CompiledLeaf[];
  readonly #work: Work;

  constructor({ logic, leaves }: ConditionSet, { subjects, ...resources }: ConditionSpace) {
    this.#isAnd = logic === 'and';
    this.#work = resources.work;
    this.#leaves = leaves.map((leaf, index) => {
      const { field: spelling, operator: written, target } = leaf;
      const field = fieldOf(spelling);
      const operator = operatorOf(written);
      return {
        index,
        subject: subjects.numberOf(field, canonicalTarget(field, target)),
        isNegated: isNegated(operator),
        make: () => leafTest(field, operator, leaf, resources),
        test: undefined,
      };
    });
  }

  /** Evaluates every condition, even once the result is known, because evaluations show them all. */
  of(subjects: RequestSubjects): { readonly result: Tri; readonly leaves: readonly LeafAnswer[] } {
    // Not `map`, which would allocate a closure for every rule and request.
    // oxlint-disable-next-line unicorn/no-new-array -- an array that grows takes five times the memory
    const leaves = new Array<LeafAnswer>(this.#leaves.length);
    for (const leaf of this.#leaves) leaves[leaf.index] = this.#answer(leaf, subjects);
    return { result: this.#resultOf(leaves), leaves };
  }

  #answer(leaf: CompiledLeaf, subjects: RequestSubjects): LeafAnswer {
    const { index, subject: number, isNegated: negated } = leaf;
    const subject = subjects.at(number);
    const { values } = subject;
    this.#work.spend(workForLeaf + (values?.length ?? 0));
    if (values === undefined) return subject.answer(index, 'unknown');
    return subject.answer(index, triOf(someFits(values, leaf, subjects.request) !== negated));
  }

  #resultOf(leaves: readonly LeafAnswer[]): Tri {
    const decisive = this.#isAnd ? 'false' : 'true';
    let result: Tri = this.#isAnd ? 'true' : 'false';
    for (const { result: each } of leaves) {
      if (each === decisive) return each;
      if (each === 'unknown') result = each;
    }
    return result;
  }
}

function someFits(values: Subject, leaf: CompiledLeaf, request: CanonicalRequest): boolean {
  if (values.length === 0) return false;
  const test = (leaf.test ??= leaf.make());
  for (const text of values) if (test(text, request)) return true;
  return false;
}
