import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { documents, read, root } from './readme-support.ts';

const map = read('docs/README.md');

/** Source files, without what is installed or built. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return ['node_modules', 'dist'].includes(entry.name) ? [] : filesIn(path);
  });
const files = ['apps', 'packages'].flatMap(filesIn);

/** What is not built: the text that its sources would contain, or its folder, and what pages call it. */
const missing: Readonly<Record<string, { readonly trace: string; readonly words: RegExp }>> = {
  purges: { trace: '/purges', words: /\bpurg(?:es?|ed|ing)\b(?!:)/i },
  'stored responses': { trace: 'CACHE_SIZE', words: /`(?:X-Cache|EDGE_STALE_AFTER|CACHE_SIZE)`/ },
  Varnish: { trace: 'apps/edge/varnish', words: /varnish/i },
  scenarios: { trace: '/edge/v1/decisions', words: /\bscenarios?\b[^.]*\b(?:acts?|takes? action)\b/i },
  'a challenge': { trace: '/.zonewright/challenge', words: /\bpass(?:es|ed)? (?:a|the) challenge\b/i },
  'a console': { trace: 'apps/console', words: /apps\/console|`\/console|\bthe console\b/i },
  webhooks: { trace: '/webhooks', words: /\bwebhooks?\b/i },
  'configuration as files': { trace: ".command('plan", words: /\bzonewright (?:pull|plan|apply|replay)\b/ },
};

describe('the map in docs/README.md', () => {
  it('names only files and folders that exist', () => {
    const known = new Set(
      files.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
    );
    const folders = new Set(files.map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
    const exists = (path: string): boolean =>
      path.endsWith('/') || !path.includes('.')
        ? [...folders].some((folder) => `/${folder}`.includes(`/${path.replace(/\/?$/, '/')}`))
        : known.has(path.replace('../', ''));
    const named = [...map.matchAll(/`((?:\.\.\/)?[\w-]+(?:\/[\w.-]+)*\/?)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => path.includes('/') || /\.(?:ts|sql)$/.test(path));
    expect(named.length).to.be.greaterThan(150);
    expect(named.filter((path) => !exists(path))).to.deep.equal([]);
  });

  it('names only tables that exist', () => {
    const migrations = files
      .filter((path) => path.startsWith('packages/postgres/migrations/'))
      .map(read)
      .join('');
    const cells = [...map.matchAll(/^\|(?:[^|\n]*\|){4}([^|\n]*)\|$/gm)].map(([, cell = '']) => cell);
    const tables = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
    expect(tables.length).to.be.greaterThan(30);
    expect(tables.filter((name) => !new RegExp(`TABLE ${name}\\b`).test(migrations))).to.deep.equal([]);
  });
});

describe('what is not built yet', () => {
  const [, section = ''] = map.split('## Not built yet\n');
  const rows = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^\| ([^|-][^|]*) +\|/gm)]
    .map(([, name = '']) => name)
    .slice(1);

  it('is what docs/README.md lists', () => {
    const names = Object.keys(missing);
    expect(rows.map((row) => names.find((name) => row.startsWith(name)) ?? row)).to.deep.equal(names);
  });

  for (const [name, { trace, words }] of Object.entries(missing)) {
    it(`does not exist: ${name}`, () => {
      const sources = files.filter((path) => /^apps\/\w+\/src\/.*\.ts$/.test(path));
      expect(existsSync(join(root, trace)), `the folder ${trace}`).to.equal(false);
      expect(sources.filter((path) => read(path).includes(trace))).to.deep.equal([]);
    });

    it(`is named by pages only to say so: ${name}`, () => {
      const said = documents.flatMap((document) =>
        paragraphsOf(document)
          .filter((text) => words.test(text) && !text.includes('#not-built-yet'))
          .map((text) => `${document}: ${text.slice(0, 80)}`),
      );
      expect(said).to.deep.equal([]);
    });
  }
});

/** The paragraphs, entries of lists and rows of tables of a page, without programs and without the list of the map. */
function paragraphsOf(document: string): readonly string[] {
  return read(document)
    .replace(/^## Not built yet\n[^]*?(?=^## )/m, '')
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-|]|\d+\. ))/);
}
