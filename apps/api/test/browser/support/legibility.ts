import type { Page } from 'playwright-core';

/** Runs in the page: returns texts with insufficient contrast (WCAG 2.2, 1.4.3) and their ratio. */
const script = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const colors = new Map();
  const rgba = (color) => {
    if (!colors.has(color)) colors.set(color, drawn(color));
    return colors.get(color);
  };
  const drawn = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  });
  const behind = (element) => {
    const own = rgba(getComputedStyle(element).backgroundColor);
    if (own.a === 1 || element.parentElement === null) return over(own, { r: 255, g: 255, b: 255, a: 1 });
    return over(own, behind(element.parentElement));
  };
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === '' || !element.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
    const background = behind(element);
    const actual = ratio(over(rgba(color), background), background);
    if (actual < least) found.add(element.className + ': ' + texts.currentNode.data.trim().slice(0, 40) + ' ' + actual.toFixed(2));
  }
  return [...found];
})()`;

/** Texts with insufficient contrast. */
const illegibleTexts = (page: Page): Promise<readonly string[]> => page.evaluate(script);

/** Controls without an accessible name. */
async function namelessControls(page: Page): Promise<readonly string[]> {
  const tree = await page.locator('body').ariaSnapshot();
  return tree.split('\n').filter((line) => /^\s*- (?:button|link|textbox|combobox|checkbox|tab)(?: \[|:|$)/.test(line));
}

const colorSchemes = ['light', 'dark'] as const;

/** Runs in the page: scripts hear of the scheme in the next frame, and then transitions begin. */
const endTransitions = `new Promise(requestAnimationFrame).then(() => {
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
})`;

/** Changes the colour scheme, and ends the transitions of colours. */
async function showIn(page: Page, colorScheme: (typeof colorSchemes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(endTransitions);
}

/** By how many pixels the page is wider than the screen. */
export const excessWidth = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth');

/** Nameless controls, and in each colour scheme an excessive width and illegible texts. */
export async function flawsOf(page: Page): Promise<readonly string[]> {
  const flaws = [...(await namelessControls(page))];
  for (const colorScheme of colorSchemes) {
    await showIn(page, colorScheme);
    const excess = await excessWidth(page);
    flaws.push(...(excess === 0 ? [] : [`${excess} pixels too wide`]), ...(await illegibleTexts(page)));
  }
  return flaws;
}
