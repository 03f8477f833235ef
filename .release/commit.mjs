/**
 * Names the commit in what is built: `dist/commit` of the packages that say their version. From git, or from COMMIT where
 * there is no checkout, such as in an image; without either there is no file.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const files = ['packages/configuration/dist/commit', 'apps/edge/dist/commit'].map((path) => join(root, path));

/** Eight digits, and `modified` if files differ from it. */
const fromGit = () => {
  const args = ['describe', '--always', '--exclude=*', '--abbrev=8', '--dirty=.modified'];
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

const commit = process.env.COMMIT || fromGit();
if (!/^(?:[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/.test(commit))
  throw new Error(`COMMIT: ${commit} cannot be part of a version.`);
for (const file of files) {
  rmSync(file, { force: true });
  if (commit === '') continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${commit}\n`);
}
