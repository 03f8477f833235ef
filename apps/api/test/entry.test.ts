import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

/** Prints the number of threads in the pool, and how many have a lower priority. */
const service = `
  import { readdirSync, readFileSync } from 'node:fs';
  const priority = (thread) => Number(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16]);
  const polite = () => readdirSync('/proc/self/task').filter((thread) => priority(thread) > priority(process.pid)).length;
  const { UV_THREADPOOL_SIZE: size } = process.env;
  console.log(JSON.stringify({ size, polite: ${existsSync('/proc/self/task')} ? polite() : Number(size) }));`;

describe('The entry point of the build', () => {
  let folder: string;
  const main = () => join(folder, 'main.cjs');

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonewright-entry-'));
    copyFileSync(new URL('../entry.cjs', import.meta.url), main());
    writeFileSync(join(folder, 'service.mjs'), service);
  });
  after(() => rmSync(folder, { recursive: true }));

  const usual = availableParallelism() + 4;
  for (const [env, expected] of [
    [{}, usual],
    [{ UV_THREADPOOL_SIZE: '3' }, 3],
  ] as const) {
    it(`computes hashes on ${expected === usual ? 'four threads more than cores' : `${expected} threads`}, which give way`, () => {
      const output = execFileSync(process.execPath, [main()], { env: { ...env }, encoding: 'utf8' });
      expect(JSON.parse(output)).to.deep.equal({ size: String(expected), polite: expected });
    });
  }

  it('reports in one line that a package is not installed', () => {
    writeFileSync(join(folder, 'service.mjs'), "import 'not-installed';");
    const run = () => execFileSync(process.execPath, [main()], { encoding: 'utf8', stdio: 'pipe' });
    expect(run).to.throw(
      /The service cannot be loaded \(.*'not-installed'.*\): install the dependencies and build first/,
    );
  });
});
