import { offerSearch } from './search.js';

// A library in Swagger UI, which runs next, would follow links within the page in its own way: without the focus.
Object.assign(globalThis, { noZensmooth: true });

const wide = matchMedia('(min-width: 64rem)');
const contents = /** @type {HTMLDetailsElement} */ (document.querySelector('.contents details'));

/** Beside the text the contents are always open; above it they would push it off the screen. */
const followWidth = () => contents.toggleAttribute('open', wide.matches);
wide.addEventListener('change', followWidth);
followWidth();
contents.addEventListener('click', ({ target }) => {
  if (!wide.matches && target instanceof HTMLAnchorElement) contents.open = false;
});

/** @param {Element} commands */
function offerCopy(commands) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' });
  const say = (/** @type {string} */ outcome) => () => (button.textContent = outcome);
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(commands.textContent ?? '').then(say('Copied'), say('Not copied'));
  });
  const frame = Object.assign(document.createElement('div'), { className: 'copyable' });
  commands.replaceWith(frame);
  frame.append(button, commands);
}

// Browsers have a clipboard for pages over HTTPS and on the own machine only.
if ('clipboard' in navigator) document.querySelectorAll('pre.command').forEach(offerCopy);

offerSearch();
