const title = document.title;

/**
 * Returns the token of the link, or '', and removes it from the address bar: URLs end up in histories, bookmarks and
 * screenshots.
 * @returns {string}
 */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(null, '', location.pathname + location.search);
  // A link opened in the same tab may change only the fragment, which does not reload the page.
  addEventListener('hashchange', () => location.reload());
  return token;
}

/**
 * The element with this id.
 * @param {string} id
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Shows one step and hides the others.
 * @param {string} id
 */
export function reveal(id) {
  for (const step of document.querySelectorAll('main > section')) step.toggleAttribute('hidden', step.id !== id);
}

/**
 * Shows one step and focuses its heading, so that screen readers announce it.
 * @param {string} id
 */
export function show(id) {
  reveal(id);
  const heading = /** @type {HTMLElement} */ (document.querySelector(`#${id} h2`));
  document.title = `${heading.textContent} – ${title}`;
  heading.focus();
}

/**
 * Makes a button open a step.
 * @param {string} button The id of the button.
 * @param {string} step
 */
export function linkButtonTo(button, step) {
  document.getElementById(button)?.addEventListener('click', () => show(step));
}
