import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** With the build of the full check if there is one, otherwise from source. */
const conditions = process.env['ZONEWRIGHT_TEST_BUILD'] === '1' ? [] : ['@zonewright/source'];

/** The self-contained `ts` blocks of a document, which can run unchanged. */
const programsIn = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map(([, program = '']) => program)
    .filter((program) => program.startsWith('import '));

/** The output of a Node process; rejects if it fails. */
const printedBy = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return stdout;
};

const expected: readonly [document: string, program: number, output: string][] = [
  ['README.md', 0, 'shop.example.com (prod) keeps objects for 3600 s\n'],
  ['docs/embedding.md', 0, "1 mail: verify-email to ada@example.com\n[ '1. shop.example.com (stage)' ]\n"],
  ['docs/embedding.md', 1, 'block 403 \nserve web.example.net class scheme host path query\n'],
];

describe('the embedding examples', function () {
  this.timeout(30_000);
  let folder: string;
  let printed: readonly string[];

  // Inside the package, so that the program resolves the same packages, and where no linter looks.
  before(async () => {
    const dist = join(import.meta.dirname, 'dist');
    mkdirSync(dist, { recursive: true });
    folder = mkdtempSync(join(dist, 'embedding-'));
    printed = await runAll();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the programs one after the other in one process; returns the output of each. */
  async function runAll(): Promise<readonly string[]> {
    const files = expected.map(([document, index]) => {
      const program = programsIn(document)[index] ?? expect.fail(`${document} has no program ${index + 1}.`);
      const file = join(folder, `${document.replaceAll(/\W/g, '-')}-${index}.ts`);
      writeFileSync(file, program);
      return file;
    });
    const mark = '=== end of program ===';
    const main = join(folder, 'all.mjs');
    const lines = files.map((file) => `await import('${pathToFileURL(file).href}');\nconsole.log('${mark}');\n`);
    writeFileSync(main, lines.join(''));
    const flags = conditions.map((condition) => `--conditions=${condition}`);
    return (await printedBy('--import', 'tsx', ...flags, main)).split(`${mark}\n`);
  }

  for (const [position, [document, index, output]] of expected.entries()) {
    it(`run: program ${index + 1} of ${document}`, () => {
      expect(printed[position]).to.equal(output);
    });
  }

  it('list every repository, where its port is defined', () => {
    const core = join(root, 'packages/core/src');
    const contexts = readdirSync(core, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const members = contexts.map(({ name }) => readFileSync(join(core, name, 'repositories.ts'), 'utf8')).join('');
    // A higher context may know more of a repository than a lower one; the last one knows all of it.
    const ports = new Map(
      [...members.matchAll(/readonly (\w+): (\w+);/g)].map(([, name = '', port = '']) => [name, port]),
    );
    const [, list = ''] = readFileSync(join(root, 'docs/embedding.md'), 'utf8').split(
      '`UnitOfWork` passes these repositories',
    );
    const rows = [...list.matchAll(/^- (`\w+`(?:,\s+`\w+`)*):[^]*?Defined\s+in\s+`(\S+\/ports\.ts)`/gm)].flatMap(
      ([, names = '', file = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, file]),
    );
    expect(rows.map(([name]) => name)).to.have.members([...ports.keys()]);
    for (const [name, file = ''] of rows) {
      const text = readFileSync(join(root, file), 'utf8');
      expect(text, `${name} in ${file}`).to.include(`export interface ${ports.get(name ?? '')} `);
    }
  });

  it('compile', async () => {
    const programs = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name));
    const project = join(folder, 'tsconfig.json');
    const options = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: root, customConditions: conditions },
      include: [],
      files: programs,
    };
    writeFileSync(project, JSON.stringify(options));
    await printedBy(compiler, '-p', project);
  });

  it('are all tested', () => {
    for (const document of ['README.md', 'docs/embedding.md']) {
      expect(programsIn(document)).to.have.length(expected.filter(([each]) => each === document).length);
    }
  });
});
