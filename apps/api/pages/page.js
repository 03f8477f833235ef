const title = document.title;

/**
 * The token of the link, or ''. It is taken out of the address bar: addresses end up in histories, bookmarks and
 * pictures of the screen.
 * @returns {string}
 */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(null, '', location.pathname + location.search);
  // Opening another link in the same tab changes nothing but the fragment, so the page would not notice.
  addEventListener('hashchange', () => location.reload());
  return token;
}

/**
 * Shows one step of the page instead of the others.
 * @param {string} id
 */
export function reveal(id) {
  for (const step of document.querySelectorAll('main > section')) step.toggleAttribute('hidden', step.id !== id);
}

/**
 * Shows one step and moves the focus to its heading, so that it is what is read next.
 * @param {string} id
 */
export function show(id) {
  reveal(id);
  const heading = /** @type {HTMLElement} */ (document.querySelector(`#${id} h2`));
  document.title = `${heading.textContent} – ${title}`;
  heading.focus();
}

/**
 * Makes a button lead to a step.
 * @param {string} button The id of the button.
 * @param {string} step
 */
export function leadTo(button, step) {
  document.getElementById(button)?.addEventListener('click', () => show(step));
}
