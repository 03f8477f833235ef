const search = /** @type {HTMLElement} */ (document.querySelector('search'));
const contents = /** @type {HTMLElement} */ (document.querySelector('.contents details'));
const field = /** @type {HTMLInputElement} */ (document.getElementById('find'));
const found = /** @type {HTMLElement} */ (document.getElementById('found'));
const list = /** @type {HTMLElement} */ (document.getElementById('finds'));

/** Links to all operations, collected before Swagger UI replaces the list. */
const operations = [...document.querySelectorAll('#operation-list li')].map((item) => {
  const [method = '', path = ''] = (item.querySelector('code')?.textContent ?? '').split(' ');
  const summary = item.lastChild?.textContent?.trim() ?? '';
  const name = decodeURIComponent(`${method} ${path} ${item.id}`).toLowerCase();
  return { name, summary: summary.toLowerCase(), entry: entryOf(`#${item.id}`, method, path, summary) };
});

/**
 * @param {string} href
 * @param {string} method
 * @param {string} path
 * @param {string} summary
 */
function entryOf(href, method, path, summary) {
  const link = Object.assign(document.createElement('a'), { href });
  const address = document.createElement('code');
  const name = Object.assign(document.createElement('b'), { className: method.toLowerCase(), textContent: method });
  address.append(name, ` ${path.replace(/^\/api/, '')}`);
  link.append(address, Object.assign(document.createElement('span'), { textContent: summary }));
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
}

/** Lists the operations that contain every word: matches in the path first, then in the summary. */
function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (/** @type {string} */ text) => words.every((word) => text.includes(word));
  const named = operations.filter(({ name }) => has(name));
  const others = operations.filter((each) => !named.includes(each) && has(`${each.name} ${each.summary}`));
  const fitting = words.length === 0 ? [] : [...named, ...others];
  list.replaceChildren(...fitting.map(({ entry }) => entry));
  contents.hidden = words.length > 0;
  found.textContent = words.length === 0 ? '' : inWords(fitting.length);
}

/** @param {number} count */
const inWords = (count) => (count === 0 ? 'No operation found.' : count === 1 ? '1 operation' : `${count} operations`);

function clear() {
  field.value = '';
  find();
}

/** @param {KeyboardEvent} event */
function onFieldKey({ key }) {
  if (key === 'Enter') list.querySelector('a')?.click();
  if (key === 'Escape') clear();
}

/**
 * On narrow screens a long result list would hide the link's target.
 * @param {MouseEvent} event
 */
function collapseOnNarrowScreens({ target }) {
  const isAbove = !matchMedia('(min-width: 64rem)').matches;
  if (isAbove && target instanceof Element && target.closest('a') !== null) clear();
}

/** @param {KeyboardEvent} event */
function onShortcut(event) {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyped = target instanceof Element && target.closest('input, textarea, select') !== null;
  if (key !== '/' || isTyped || ctrlKey || metaKey || altKey) return;
  event.preventDefault();
  field.focus();
}

/** Shows the search field: `/` focuses it, Enter opens the first result, Escape clears it. */
export function offerSearch() {
  field.addEventListener('input', find);
  field.addEventListener('keydown', onFieldKey);
  list.addEventListener('click', collapseOnNarrowScreens);
  addEventListener('keydown', onShortcut);
  search.hidden = false;
}
