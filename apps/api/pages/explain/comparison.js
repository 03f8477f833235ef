import { element } from './element.js';

/**
 * One thing that an answer shows.
 * @typedef {object} Fact
 * @property {string} group What it belongs to, such as a phase.
 * @property {string} label
 * @property {string} text
 */

/** @typedef {{ label: string, before: string, after: string }} Change */

const nothing = '–';

/**
 * What an answer shows, compared with the one before it: whatever is shown under a key is compared with what was shown
 * under the same key, so nothing can be displayed that is not compared.
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

  /** Whether there is an answer to compare with. */
  get hasPrevious() {
    return this.#before !== undefined;
  }

  /**
   * Takes down what an element shows, and marks the element if that is new.
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
   * What differs from the answer before, in the order in which it is displayed; of a group that came or went, no more
   * than that.
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
   * The groups that the answer before did not have.
   * @returns {readonly string[]}
   */
  get came() {
    return this.#before === undefined ? [] : groupsWithout(this.#shown, this.#before);
  }

  /**
   * The groups that only the answer before had.
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
