import { element } from '../element.js';

const devices = /** @type {const} */ ([
  ['as in the headers', ''],
  [
    'Phone',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Tablet',
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  ['Desktop', 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'],
  ['Search engine', 'Mozilla/5.0 (compatible; ExampleBot/1.0; +https://www.example.com/bot)'],
  ['Command line', 'curl/8.15.0'],
]);

/**
 * Lets the selected device set the User-Agent line among the headers.
 * @param {HTMLSelectElement} choice
 * @param {HTMLTextAreaElement} headers
 */
export function offerDevices(choice, headers) {
  choice.replaceChildren(...devices.map(([name, value]) => element('option', { value }, name)));
  choice.addEventListener('change', () => {
    const others = headers.value.split('\n').filter((line) => line.trim() !== '' && !/^\s*user-agent\s*:/i.test(line));
    headers.value = [...others, ...(choice.value === '' ? [] : [`User-Agent: ${choice.value}`])].join('\n');
    headers.dispatchEvent(new Event('input'));
  });
}
