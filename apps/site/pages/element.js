/** @typedef {Node | string | undefined} Child */

/**
 * Creates an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string> | string} attributes Attributes, or only the class.
 * @param {...Child} children Undefined children are omitted.
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
 * A description list of facts.
 * @param {readonly (readonly [term: string, fact: Child | readonly Child[]])[]} rows
 */
export function factList(rows) {
  const pairs = rows.map(([term, fact]) =>
    element('div', '', element('dt', '', term), element('dd', '', ...(Array.isArray(fact) ? fact : [fact]))),
  );
  return element('dl', 'facts', ...pairs);
}
