/** The amount of work an analysis may do. */
export interface AnalysisBudget {
  /** Automaton states per question. Counting states instead of time makes results deterministic. */
  readonly question: number;
  /** Automaton states for all questions of one analysis. */
  readonly answer: number;
  /** A time limit as a last resort; if omitted, only states are counted. */
  readonly clock?: AnalysisClock;
}

/** Time limits in milliseconds, and the clock that measures them. */
export interface AnalysisClock {
  /** Milliseconds since any fixed moment. Called often: it should take less than a microsecond. */
  readonly now: () => number;
  readonly question: number;
  readonly answer: number;
  /** When work on the answer began; default: when the analysis begins. */
  readonly began?: number;
}

/** 50,000 states per question and 500,000 per analysis. */
export const defaultBudget: AnalysisBudget = { question: 50_000, answer: 500_000 };

/** The cost of a search, which does not depend on when it runs. */
export interface SearchCost {
  readonly states: number;
}

/**
 * Tracks the budget. Each search is charged once per analysis, even if its result is cached: the cache makes analyses
 * faster without changing their results.
 */
export class Spending {
  readonly #budget: AnalysisBudget;
  readonly #started: number;
  readonly #paid = new Set<SearchCost>();
  #questionStarted = 0;
  #question = 0;
  #answer = 0;
  #isCutShort = false;
  #isOver = false;
  #sinceLook = 0;

  constructor(budget: AnalysisBudget) {
    this.#budget = budget;
    this.#started = budget.clock?.began ?? budget.clock?.now() ?? 0;
    this.#questionStarted = this.#started;
  }

  /** Starts the next question. */
  begin(): void {
    this.#question = 0;
    this.#isCutShort = false;
    this.#questionStarted = this.#budget.clock?.now() ?? 0;
    if (!this.isInTime) this.#isCutShort = true;
  }

  /** States left for the question. */
  get left(): number {
    return Math.min(this.#budget.question - this.#question, this.#budget.answer - this.#answer);
  }

  /** Whether the question ran out of budget. Its cost then depends on what was left, even if it was answered. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  /**
   * Whether there is time left, by the clock. Every loop that can be long asks, whether or not it takes states; once the
   * answer's time is over, there is none for any further question.
   */
  get isInTime(): boolean {
    const { clock } = this.#budget;
    if (clock === undefined) return true;
    if (this.#isOver) return false;
    const now = clock.now();
    this.#sinceLook = 0;
    if (now - this.#started > clock.answer) this.#isOver = true;
    const isInTime = !this.#isOver && now - this.#questionStarted <= clock.question;
    if (!isInTime) this.#isCutShort = true;
    return isInTime;
  }

  /** Whether the answer's time is over, so that whatever is left to ask stays undecided. */
  get isOver(): boolean {
    const { clock } = this.#budget;
    if (clock !== undefined && !this.#isOver) this.#isOver = clock.now() - this.#started > clock.answer;
    return this.#isOver;
  }

  /** Spends states; if too few are left, uses up the rest for this question and returns false. */
  take(states: number): boolean {
    const { left } = this;
    const isAffordable = states <= left && this.#isStillInTime(states);
    const taken = isAffordable ? states : left;
    this.#question += taken;
    this.#answer += taken;
    if (!isAffordable) this.#isCutShort = true;
    return isAffordable;
  }

  /** The cost of these searches now. */
  priceOf(searches: readonly SearchCost[]): number {
    return searches.reduce((sum, search) => (this.#paid.has(search) ? sum : sum + search.states), 0);
  }

  /** Charges a search unless it has been charged already. */
  pay(search: SearchCost): boolean {
    if (this.#paid.has(search)) return true;
    if (!this.take(search.states)) return false;
    this.#paid.add(search);
    return true;
  }

  /** Marks a search as charged: its states were spent while it ran. */
  havePaid(search: SearchCost): void {
    this.#paid.add(search);
  }

  #isStillInTime(states: number): boolean {
    if (this.#budget.clock === undefined) return true;
    this.#sinceLook += states;
    return this.#sinceLook < statesPerLook || this.isInTime;
  }
}

/** The work, in states, between two looks at the clock. */
export const statesPerLook = 100;
