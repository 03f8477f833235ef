import { element } from '../element.js';

/**
 * A displayed value.
 * @typedef {object} Fact
 * @property {string} group Its section, such as a phase.
 * @property {string} label
 * @property {string} text
 */

/** @typedef {{ label: string, before: string, after: string }} Change */

const nothing = '–';

/**
 * Compares a displayed evaluation with the previous one: values are matched by the key under which they are displayed,
 * so everything displayed is compared.
 */
export class Comparison {
  /** @type {Map<string, Fact>} */
  #shown = new Map();
  /** @type {ReadonlyMap<string, Fact> | undefined} */
  #before;

  /** @param {Comparison} [previous] */
  constructor(previous) {
    this.#before = previous === undefined ? undefined : previous.#shown;
  }

  /** Whether there is a previous evaluation. */
  get hasPrevious() {
    return this.#before !== undefined;
  }

  /**
   * Records a displayed value, and marks its element if the value is new.
   * @template {HTMLElement} Shown
   * @param {Shown} shown
   * @param {Fact} fact
   * @returns {Shown}
   */
  of(shown, fact) {
    const key = `${fact.group}\n${fact.label}`;
    this.#shown.set(key, fact);
    const before = this.#before?.get(key);
    if (!this.#knows(fact.group) || before?.text === fact.text) return shown;
    shown.classList.add('changed');
    shown.append(element('span', 'before', `before: ${before?.text ?? nothing}`));
    return shown;
  }

  /**
   * Changed values in display order; groups that appeared or disappeared are not listed value by value.
   * @returns {readonly Change[]}
   */
  changes() {
    const before = this.#before;
    if (before === undefined) return [];
    const [then, now] = [groupsOf(before), groupsOf(this.#shown)];
    const changed = [...this.#shown]
      .filter(([key, { group, text }]) => then.has(group) && before.get(key)?.text !== text)
      .map(([key, { label, text }]) => ({ label, before: before.get(key)?.text ?? nothing, after: text }));
    const gone = [...before]
      .filter(([key, { group }]) => now.has(group) && !this.#shown.has(key))
      .map(([, { label, text }]) => ({ label, before: text, after: nothing }));
    return [...changed, ...gone];
  }

  /**
   * Groups that the previous evaluation lacked.
   * @returns {readonly string[]}
   */
  get came() {
    return this.#before === undefined ? [] : groupsWithout(this.#shown, this.#before);
  }

  /**
   * Groups that only the previous evaluation had.
   * @returns {readonly string[]}
   */
  get went() {
    return this.#before === undefined ? [] : groupsWithout(this.#before, this.#shown);
  }

  /** @param {string} group */
  #knows(group) {
    return this.#before !== undefined && groupsOf(this.#before).has(group);
  }
}

/** @param {ReadonlyMap<string, Fact>} facts */
const groupsOf = (facts) => new Set([...facts.values()].map(({ group }) => group));

/**
 * @param {ReadonlyMap<string, Fact>} some
 * @param {ReadonlyMap<string, Fact>} others
 */
function groupsWithout(some, others) {
  const known = groupsOf(others);
  return [...groupsOf(some)].filter((group) => !known.has(group));
}
