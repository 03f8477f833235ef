import { offerSearch } from './search.js';

// Disables a library in Swagger UI, which loads next: it would scroll to fragments without moving the focus.
Object.assign(globalThis, { noZensmooth: true });

const wide = matchMedia('(min-width: 64rem)');
const contents = /** @type {HTMLDetailsElement} */ (document.querySelector('.contents details'));

/** On wide screens the contents are always open beside the text; on narrow ones they would push it off the screen. */
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

// Browsers offer the clipboard only over HTTPS and on localhost.
if ('clipboard' in navigator) document.querySelectorAll('pre.command').forEach(offerCopy);

offerSearch();
