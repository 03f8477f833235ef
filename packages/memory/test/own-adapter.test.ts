import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const mocha = join(root, 'node_modules/mocha/bin/mocha.js');

/** With the build of the full check if there is one, otherwise from source, as `.mocharc.json` says. */
const command =
  process.env['ZONEWRIGHT_TEST_BUILD'] === '1'
    ? ['--import', 'tsx', mocha, '--no-parallel', '--config', join(root, '.mocha/parallel.json')]
    : [mocha];

describe('the guide to writing a storage adapter', function () {
  this.timeout(30_000);
  // Inside the package, so that the program resolves the same packages.
  const folder = mkdtempSync(join(import.meta.dirname, '.adapter-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const guide = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
  const [, adapter = ''] = /^```ts\n(\/\/ my-audit-log\.test\.ts[^]*?)^```$/m.exec(guide) ?? [];

  /** The last line of mocha's report on an adapter. */
  async function reportOn(program: string): Promise<string | undefined> {
    // Not named like a test, so that the leftovers of a killed run are not run.
    const file = join(folder, 'my-audit-log.ts');
    writeFileSync(file, program);
    const env = { ...process.env, MOCHA_SECONDS: '0' };
    const run = promisify(execFile)(process.execPath, [...command, file], { cwd: root, env });
    const { stdout } = await run.catch((failure: { readonly stdout: string }) => failure);
    return stdout.trim().split('\n').at(-1);
  }

  it('leads to an adapter that passes its contract', async () => {
    expect(await reportOn(adapter)).to.match(/^[1-9]\d* passed, 0 failed$/);
  });

  it('shows what is missing in an incomplete one', async () => {
    const careless = adapter.replace('const draft = [...this.#entries];', 'const draft = this.#entries as never;');
    expect(await reportOn(careless)).to.match(/^[1-9]\d* passed, [1-9]\d* failed$/);
  });
});
