/**
 * `pnpm render:sql`: renders the statements in `sql/rendered/`, which share parts or have variants. Each template renders
 * one statement at the same path, or those that `variants.mjs` lists; those in `partials/` are only included. `--check`
 * writes nothing, and fails if a rendered file differs, is left over, or has the path of one that is written by hand.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Eta } from 'eta';
import { variants } from './variants.mjs';

const templates = import.meta.dirname;
const byHand = join(templates, '../sql');
const statements = join(byHand, 'rendered');

const filesIn = (folder, extension) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(extension));

const eta = new Eta({ views: templates, autoEscape: false, autoTrim: false, defaultExtension: '.sql.eta' });
for (const path of filesIn(join(templates, 'partials'), '.sql.eta')) {
  const text = readFileSync(join(templates, 'partials', path), 'utf8');
  eta.loadTemplate(`@${basename(path, '.sql.eta')}`, text.trimEnd());
}

/** Texts by path in `sql/rendered/`. */
const rendered = new Map(
  filesIn(templates, '.sql.eta')
    .filter((path) => !path.startsWith('partials/'))
    .flatMap((template) =>
      (variants[template] ?? [{ path: template.replace(/\.eta$/, '') }]).map(({ path, ...data }) => [
        path,
        `-- Rendered from templates/${template}\n${eta.render(template, data)}`,
      ]),
    ),
);

const present = new Set(filesIn(statements, '.sql'));
const leftOver = [...present].filter((path) => !rendered.has(path));
const outdated = [...rendered].filter(
  ([path, text]) => !present.has(path) || readFileSync(join(statements, path), 'utf8') !== text,
);
const twice = filesIn(byHand, '.sql').filter((path) => rendered.has(path));
if (twice.length > 0) throw new Error(`These are written by hand and rendered: ${twice.join(', ')}`);

if (process.argv.includes('--check')) {
  const wrong = [...leftOver, ...outdated.map(([path]) => path)];
  if (wrong.length > 0) throw new Error(`Run pnpm render:sql, because these are not as rendered: ${wrong.join(', ')}`);
} else {
  for (const path of leftOver) rmSync(join(statements, path));
  for (const [path, text] of outdated) {
    mkdirSync(dirname(join(statements, path)), { recursive: true });
    writeFileSync(join(statements, path), text);
  }
}
