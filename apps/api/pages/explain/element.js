/** @typedef {Node | string | undefined} Child */

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string> | string} attributes Attributes, or the class alone.
 * @param {...Child} children What is undefined is left out.
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  if (typeof attributes !== 'string') for (const each of Object.entries(attributes)) made.setAttribute(...each);
  else if (attributes !== '') made.className = attributes;
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** @param {string} text */
export const code = (text) => element('code', '', text);

/**
 * A list of facts: what they are about, and what they are.
 * @param {readonly (readonly [term: string, fact: Child | readonly Child[]])[]} rows
 */
export function factList(rows) {
  const pairs = rows.map(([term, fact]) =>
    element('div', '', element('dt', '', term), element('dd', '', ...(Array.isArray(fact) ? fact : [fact]))),
  );
  return element('dl', 'facts', ...pairs);
}
