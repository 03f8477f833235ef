/**
 * `pnpm release 1.2.0`: makes a release of what is committed, and publishes nothing. Sets the version of every package,
 * commits and tags it, and leaves the tarballs of packages and production tree in `.release/1.2.0`. The changelog must
 * have a section for the version.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , version = ''] = process.argv;

const run = (program, ...args) => execFileSync(program, args, { cwd: root, stdio: 'inherit' });
const read = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();
const leave = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

if (!/^\d+\.\d+\.\d+$/.test(version)) leave('Usage: pnpm release <major.minor.patch>');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
if (!changelog.includes(`\n## ${version} `)) leave(`CHANGELOG.md has no section "## ${version} (date)".`);
if (read('git', 'status', '--porcelain') !== '') leave('There are uncommitted changes.');
if (read('git', 'tag', '--list', `v${version}`) !== '') leave(`The tag v${version} exists.`);

const setVersion = [
  'npm',
  'version',
  version,
  '--no-git-tag-version',
  '--allow-same-version',
  '--no-workspaces-update',
];
run('npx', '-y', 'pnpm@12', '--recursive', '--include-workspace-root', 'exec', ...setVersion);
run('npx', '-y', 'pnpm@12', 'build');

const folder = join(root, '.release', version);
mkdirSync(folder, { recursive: true });
run('npx', '-y', 'pnpm@12', '--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder);
const tree = join(mkdtempSync(join(tmpdir(), 'zonewright-release-')), `zonewright-${version}`);
run('node', 'apps/api/deploy/tree.mjs', tree);
run('tar', '-czf', join(folder, `zonewright-${version}.tgz`), '-C', join(tree, '..'), `zonewright-${version}`);
rmSync(join(tree, '..'), { recursive: true });

run('git', 'commit', '--all', '--quiet', '--allow-empty', '--message', `Release ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Zonewright ${version}`);
process.stdout.write(`Tagged v${version}. The tarballs are in .release/${version}; nothing was published.\n`);
