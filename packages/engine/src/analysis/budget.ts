/** How much work an analysis may do, counted in states of automata, so that equal input gets equal answers. */
export interface AnalysisBudget {
  /** For one question. */
  readonly question: number;
  /** For all questions of one answer. */
  readonly answer: number;
}

/** 50,000 states for a question and 500,000 for an answer. */
export const usualBudget: AnalysisBudget = { question: 50_000, answer: 500_000 };

/** Counts what is spent of a budget. */
export class Spending {
  readonly #budget: AnalysisBudget;
  #question = 0;
  #answer = 0;

  constructor(budget: AnalysisBudget) {
    this.#budget = budget;
  }

  /** Begins the next question. */
  begin(): void {
    this.#question = 0;
  }

  /** Spends so many states; false when they are not there. */
  take(states: number): boolean {
    if (this.#question + states > this.#budget.question || this.#answer + states > this.#budget.answer) return false;
    this.#question += states;
    this.#answer += states;
    return true;
  }
}
