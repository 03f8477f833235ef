import { canonicalHost } from '../../request/authority.ts';
import type { Spending } from '../budget.ts';
import { partsOfWord } from '../texts/address-words.ts';
import type { PartTexts } from '../texts/request-texts.ts';
import type { Clause, Clauses } from './clauses.ts';
import { holdsIn, type Model } from './model.ts';
import type { Literal, Variable } from './predicates.ts';
import { type Form, VariableValues } from './variable-values.ts';

/** A request that fits; or there is none, which is proven; or the budget ended. */
export type Answer = Model | 'none' | 'undecided';

/** What is asked of the whole question. */
interface Frame {
  readonly form: Form;
  readonly fixed: PartTexts;
}

/** What has been decided for each variable, with a value that fits it. */
interface Chosen {
  readonly clauses: ReadonlyMap<Variable, Clauses>;
  readonly model: Model;
}

/**
 * Finds requests that fit clauses. Variables are independent of each other, so a conjunction can be met exactly when it
 * can be met for each variable by itself; a clause over several variables is a choice between them.
 */
export class Solver {
  readonly #spending: Spending;
  readonly #values: VariableValues;

  constructor(spending: Spending) {
    this.#spending = spending;
    this.#values = new VariableValues(spending);
  }

  /** A request for which all clauses hold; parts of its address may be fixed. */
  solve(clauses: Clauses, fixed: PartTexts = {}): Answer {
    this.#spending.begin();
    const inOrigin = this.#solve(clauses, { form: 'origin', fixed });
    const looksAtPath = clauses.some((clause) => clause.some(({ predicate }) => predicate.parts !== undefined));
    if (inOrigin !== 'none' || !looksAtPath || fixed.path !== undefined) return inOrigin;
    return this.#solve(clauses, { form: 'asterisk', fixed });
  }

  #solve(clauses: Clauses, frame: Frame): Answer {
    const groups = clauses.map(byVariable);
    const single = groups.filter((group) => group.size === 1).flatMap((group) => [...group]);
    const start = frame.form === 'asterisk' ? [['address', []] as const, ['method', []] as const] : [];
    let chosen: Chosen = { clauses: new Map(start), model: new Map() };
    for (const [variable, clause] of single) chosen = withClauses(chosen, variable, [clause]);
    for (const variable of chosen.clauses.keys()) {
      const found = this.#checked(chosen, variable, frame);
      if (typeof found === 'string') return found;
      chosen = found;
    }
    if (groups.some((group) => group.size === 0)) return 'none';
    return this.#choose(
      chosen,
      groups.filter((group) => group.size > 1),
      frame,
    );
  }

  /** With a value for the variable that fits what has been decided for it. */
  #checked(chosen: Chosen, variable: Variable, { form, fixed }: Frame): Chosen | 'none' | 'undecided' {
    const found = this.#values.find({ variable, clauses: chosen.clauses.get(variable) ?? [], form, fixed });
    if (typeof found === 'string') return found;
    return { ...chosen, model: new Map([...chosen.model, [variable, found.value]]) };
  }

  /** Meets the clauses that are left, the one with the fewest ways first. */
  #choose(chosen: Chosen, left: readonly Group[], frame: Frame): Answer {
    const unmet = left.filter((group) => !isMet(group, chosen.model));
    if (unmet.length === 0) return isPossible(chosen.model) ? chosen.model : 'undecided';
    if (!this.#spending.take(1)) return 'undecided';
    const { group, ways } = this.#fewestWays(chosen, unmet, frame);
    const rest = left.filter((each) => each !== group);
    let answer: Answer = 'none';
    for (const way of ways) {
      const found = way === 'undecided' ? way : this.#choose(way, rest, frame);
      if (typeof found !== 'string') return found;
      if (found === 'undecided') answer = found;
    }
    return answer;
  }

  #fewestWays(chosen: Chosen, groups: readonly Group[], frame: Frame) {
    let best: { readonly group: Group; readonly ways: readonly (Chosen | 'undecided')[] } | undefined;
    for (const group of groups) {
      const ways = [...group].flatMap(([variable, clause]) => {
        const found = this.#checked(withClauses(chosen, variable, [clause]), variable, frame);
        return found === 'none' ? [] : [found];
      });
      if (best === undefined || ways.length < best.ways.length) best = { group, ways };
      if (ways.length <= 1) break;
    }
    return best ?? { group: new Map(), ways: [] };
  }
}

/** The literals of one clause by variable. */
type Group = ReadonlyMap<Variable, Clause>;

function byVariable(clause: Clause): Group {
  const groups = new Map<Variable, Literal[]>();
  for (const literal of clause) {
    const { variable } = literal.predicate;
    groups.set(variable, [...(groups.get(variable) ?? []), literal]);
  }
  return groups;
}

const withClauses = ({ clauses, model }: Chosen, variable: Variable, more: Clauses): Chosen => ({
  clauses: new Map([...clauses, [variable, [...(clauses.get(variable) ?? []), ...more]]]),
  model,
});

const isMet = (group: Group, model: Model): boolean =>
  [...group.values()].some((clause) => clause.some((literal) => holdsIn(model, literal)));

/** The length of hosts and their labels is looked at here only. */
function isPossible(model: Model): boolean {
  const word = model.get('address');
  return typeof word !== 'string' || canonicalHost(partsOfWord(word).host) !== undefined;
}
