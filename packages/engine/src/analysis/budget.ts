/** How much work an analysis may do. */
export interface AnalysisBudget {
  /** States of automata for one question, so that equal input gets equal answers. */
  readonly question: number;
  /** States for all questions of one answer. */
  readonly answer: number;
  /** Time, as a last resort; without it, states alone are counted. */
  readonly clock?: AnalysisClock;
}

/** Bounds in milliseconds, and what they are measured with. */
export interface AnalysisClock {
  /** Milliseconds since any moment. */
  readonly now: () => number;
  readonly question: number;
  readonly answer: number;
}

/** 50,000 states for a question and 500,000 for an answer. */
export const usualBudget: AnalysisBudget = { question: 50_000, answer: 500_000 };

/** What a search has cost, which is the same whenever it is made. */
export interface Paid {
  readonly states: number;
}

/**
 * Counts what is spent of a budget. A search is paid for once in an answer, also when its result was known before, so
 * what is remembered makes answers quicker and never other ones.
 */
export class Spending {
  readonly #budget: AnalysisBudget;
  readonly #started: number;
  readonly #paid = new Set<Paid>();
  #questionStarted = 0;
  #question = 0;
  #answer = 0;
  #isCutShort = false;
  #sinceLook = 0;

  constructor(budget: AnalysisBudget) {
    this.#budget = budget;
    this.#started = budget.clock?.now() ?? 0;
  }

  /** Begins the next question. */
  begin(): void {
    this.#question = 0;
    this.#isCutShort = false;
    this.#questionStarted = this.#budget.clock?.now() ?? 0;
  }

  /** States that the question may still take. */
  get left(): number {
    return Math.min(this.#budget.question - this.#question, this.#budget.answer - this.#answer);
  }

  /** Whether something could not be paid for in this question: then it has cost whatever was left, even if it is answered. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  /** Spends so many states; false when they are not there: then nothing is left for the question. */
  take(states: number): boolean {
    const { left } = this;
    const isThere = states <= left && this.#isInTime(states);
    const taken = isThere ? states : left;
    this.#question += taken;
    this.#answer += taken;
    if (!isThere) this.#isCutShort = true;
    return isThere;
  }

  /** What these searches would cost now. */
  priceOf(searches: readonly Paid[]): number {
    return searches.reduce((sum, search) => (this.#paid.has(search) ? sum : sum + search.states), 0);
  }

  /** Spends what a search costs unless this has been done. */
  pay(search: Paid): boolean {
    if (this.#paid.has(search)) return true;
    if (!this.take(search.states)) return false;
    this.#paid.add(search);
    return true;
  }

  /** Notes that the states of a search have been taken while it was made. */
  havePaid(search: Paid): void {
    this.#paid.add(search);
  }

  #isInTime(states: number): boolean {
    const { clock } = this.#budget;
    if (clock === undefined) return true;
    this.#sinceLook += states;
    if (this.#sinceLook < statesPerLook) return true;
    this.#sinceLook = 0;
    const now = clock.now();
    return now - this.#questionStarted <= clock.question && now - this.#started <= clock.answer;
  }
}

const statesPerLook = 100;
