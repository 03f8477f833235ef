import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Range, Series } from './prometheus.ts';
import type { Panel, Placed } from './shipped-files.ts';

/** A panel with the named series of its queries. */
export interface EvaluatedPanel {
  readonly panel: Panel;
  readonly lines: readonly { readonly name: string; readonly values: Series['values'] }[];
}

const uplotFile = (path: string): string =>
  readFileSync(createRequire(import.meta.url).resolve(`uplot/${path}`), 'utf8');
const ownFile = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

/** A dashboard with the results of its queries. */
export interface EvaluatedDashboard {
  readonly headings: readonly Placed[];
  readonly panels: readonly EvaluatedPanel[];
  readonly range: Range;
}

/** Draws the panels in the dashboard's grid; resolves to a PNG. */
export async function screenshotOf(dashboard: EvaluatedDashboard): Promise<Buffer> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'light' });
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.setContent(
      `<!doctype html><style>${uplotFile('dist/uPlot.min.css')}${ownFile('draw.css')}</style><main></main>`,
    );
    await page.addScriptTag({ content: uplotFile('dist/uPlot.iife.min.js') });
    await page.addScriptTag({
      content: `${ownFile('draw.js')}\ndraw(${JSON.stringify(dashboard)});`,
    });
    return await page.screenshot({ fullPage: true, type: 'png' });
  } finally {
    await browser.close();
  }
}
