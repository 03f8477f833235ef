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

  const careless = adapter.replace('const draft = [...this.#entries];', 'const draft = this.#entries as never;');

  /** Runs the contract on an adapter in each file; returns how many of its tests passed and failed. */
  async function reportOn(programs: Readonly<Record<string, string>>): Promise<Readonly<Record<string, Counts>>> {
    // Not named like tests, so that the leftovers of a killed run are not run.
    const files = Object.keys(programs).map((name) => join(folder, `${name}.ts`));
    for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), program);
    const args = [...command, '--reporter', 'json', ...files];
    const run = promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 });
    const { stdout } = await run.catch((failure: { readonly stdout: string }) => failure);
    const { passes, failures } = JSON.parse(stdout) as Report;
    const within = (tests: Report['passes'], name: string) =>
      tests.filter(({ file }) => file === join(folder, `${name}.ts`)).length;
    return Object.fromEntries(
      Object.keys(programs).map((name) => [name, { passed: within(passes, name), failed: within(failures, name) }]),
    );
  }

  it('leads to an adapter that passes its contract, and shows what is missing in an incomplete one', async () => {
    expect(careless).to.not.equal(adapter);
    const { whole, incomplete } = await reportOn({ whole: adapter, incomplete: careless });
    expect(whole?.failed).to.equal(0);
    expect(whole?.passed).to.be.greaterThan(0);
    expect(incomplete?.failed).to.be.greaterThan(0);
    expect(incomplete?.passed).to.be.greaterThan(0);
  });
});

/** Numbers of tests. */
interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** The part of mocha's JSON report that counts. */
interface Report {
  readonly passes: readonly { readonly file: string }[];
  readonly failures: readonly { readonly file: string }[];
}
