import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startTemporaryPostgres } from '@zonewright/dev-postgres';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const packages = join(root, 'packages');
const run = async (cwd: string, program: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 100_000_000 });
  return stdout;
};

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
}

/** The publishable packages by folder. */
const published = readdirSync(packages)
  .map((folder) => ({
    folder,
    ...(JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')) as Manifest),
  }))
  .filter((manifest) => manifest.private !== true);

/** Run by `pnpm test packages` after a build. May need the network for checkers and dependencies. */
describe('packages as they are packed', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-packages-'));
  const service = join(folder, 'service');
  const tarballs = new Map<string, string>();

  before(async () => {
    for (const { folder: name, name: full } of published) {
      const packed = JSON.parse(
        await run(join(packages, name), 'npx', '-y', 'pnpm@12', 'pack', '--json', '--pack-destination', folder),
      ) as { readonly filename: string };
      tarballs.set(full, packed.filename);
    }
    const files = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
    mkdirSync(service);
    const manifest = { type: 'module', dependencies: { ...files, neverthrow: '8.2.0', '@types/node': '20.19.43' } };
    writeFileSync(join(service, 'package.json'), JSON.stringify(manifest));
    // Versions not published yet come from the packed files, wherever they are required.
    const built = ['argon2', 'bcrypt', 'esbuild'].map((name) => `  ${name}: true\n`).join('');
    const overrides = Object.entries(files).map(([name, file]) => `  "${name}": "${file}"\n`);
    writeFileSync(join(service, 'pnpm-workspace.yaml'), `allowBuilds:\n${built}overrides:\n${overrides.join('')}`);
    await run(service, 'npx', '-y', 'pnpm@12', 'install', '--prefer-offline');
    const guide = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
    const [, program = ''] = /^```ts\n(\/\/ service\.ts[^]*?)^```$/m.exec(guide) ?? [];
    expect(program.split('\n').length).to.be.within(20, 100);
    writeFileSync(join(service, 'service.ts'), program);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('have types that a strict project accepts', async () => {
    const options = {
      strict: true,
      module: 'NodeNext',
      target: 'ES2023',
      lib: ['ES2023'],
      types: ['node'],
      outDir: 'built',
    };
    writeFileSync(join(service, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['service.ts'] }));
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    await run(service, process.execPath, compiler, '-p', service);
  });

  /** Registers, signs in, creates a zone and lists it. */
  async function expectToServe(env: NodeJS.ProcessEnv): Promise<void> {
    const server = spawn(process.execPath, ['built/service.js'], {
      cwd: service,
      env: { ...process.env, PORT: '38123', ...env },
    });
    try {
      const [url] = (await once(server.stdout, 'data')) as [Buffer];
      const ask = async (method: string, path: string, body: object | undefined, token = ''): Promise<unknown> => {
        const answer = await fetch(`${url.toString().trim()}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        expect(answer.status, `${method} ${path}`).to.equal(200);
        return answer.json();
      };
      const login = { email: 'ada@example.com', password: 'Correct-Horse-7' };
      await ask('POST', '/users', { ...login, firstName: 'Ada', lastName: 'Lovelace' });
      const { tokens } = (await ask('POST', '/sessions', login)) as {
        readonly tokens: { readonly accessToken: string };
      };
      await ask('POST', '/zones', { name: 'shop.example.com' }, tokens.accessToken);
      const listed = (await ask('GET', '/zones', undefined, tokens.accessToken)) as {
        readonly items: readonly object[];
      };
      expect(listed.items).to.have.length(1);
      expect(listed.items[0]).to.include({ name: 'shop.example.com', tag: 'prod' });
    } finally {
      server.kill();
    }
  }

  it('run the example service in memory', () => expectToServe({}));

  it('run the example service on PostgreSQL', async () => {
    const server = await startTemporaryPostgres();
    try {
      await expectToServe({ DATABASE_URL: server.url });
    } finally {
      await server.stop();
    }
  });

  const guide = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
  const [getting = ''] = /^## Getting the packages$[^]*?(?=^## )/m.exec(guide) ?? [];
  const blocks = (language: string) =>
    [...getting.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
  const [program = ''] = [...guide.matchAll(/^```ts\n(import [^]*?)^```$/gm)].map(([, code = '']) => code);
  const [packing = '', withNpm = '', withPnpm = ''] = blocks('sh');
  const [inCommonJs = ''] = blocks('js');

  for (const [manager, commands] of [
    ['npm', withNpm],
    ['pnpm', withPnpm],
  ] as const) {
    it(`are installed in an empty folder with ${manager} as docs/embedding.md says, for ES modules and CommonJS`, async () => {
      const empty = join(folder, `with-${manager}`);
      mkdirSync(empty);
      expect(packing).to.include('--pack-destination /tmp/zonewright');
      await run(empty, 'bash', '-ec', commands.replaceAll('/tmp/zonewright', folder));
      writeFileSync(join(empty, 'program.ts'), program);
      expect(await run(empty, process.execPath, '--import', 'tsx', 'program.ts')).to.include(
        'shop.example.com (stage)',
      );
      const options = { strict: true, module: 'NodeNext', target: 'ES2023', types: ['node'], noEmit: true };
      writeFileSync(
        join(empty, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, files: ['program.ts', 'old.cts'] }),
      );
      writeFileSync(join(empty, 'old.cjs'), inCommonJs);
      writeFileSync(
        join(empty, 'old.cts'),
        inCommonJs.replace(/const (\{.*\}) = require\((.*)\);/, 'import $1 from $2;'),
      );
      expect(await run(empty, process.execPath, 'old.cjs')).to.equal('true\n');
      await run(empty, process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.');
    });
  }

  it('have nothing that publint or attw complain about; they are ES modules only', async () => {
    for (const file of tarballs.values()) {
      await run(folder, 'npx', '-y', 'publint@0.3.25', file, '--strict');
      await run(folder, 'npx', '-y', '@arethetypeswrong/cli@0.18.5', file, '--profile', 'esm-only');
    }
  });
});
