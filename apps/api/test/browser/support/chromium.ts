import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Scripts run too briefly to repay the optimizing compiler.
  '--js-flags=--no-opt',
];

/** One browser for all tests of this process, started on first use. */
let browser: Promise<Browser> | undefined;

// In a worker process of mocha this would run after its first file; there, the browser ends with the process.
if (process.env['MOCHA_WORKER_ID'] === undefined) {
  after(async () => {
    const running = await browser?.catch(() => undefined);
    await running?.close();
  });
}

export function openBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`The browser tests need Chromium at ${executablePath}: apt-get install chromium`);
  }
  browser ??= chromium.launch({ executablePath, headless: true, args });
  return browser;
}
