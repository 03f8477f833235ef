import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { packages } from './floors.ts';
import { folderNames, root, sources } from './sources.ts';

/** Names that no source spells: examples of computed ones, codes, and names of other standards and libraries. */
const elsewhere = [
  'BanToken',
  'UserPassword',
  'getZone',
  'getZoneCollection',
  'getZoneEvaluation',
  'postZoneBanToken',
  'LIMIT_REWRITE_RULES_PER_ZONE',
  'kid',
  'mac',
  'sid',
  'XK',
  'XX',
  'T1',
  'Err',
  'Host',
  'Cookie',
  'Response',
  'Secure',
  'PUBLIC_BASE_URL',
  'fetch',
  'link',
  'mkdir',
  'pg_stat_activity',
  'recursive',
];

const comments = /^\s*(?:\/\/|\/\*|\*(?=[\s/]|$)).*$|\s\/\/ .*$/gm;

/** An identifier, a member or a call. */
const name = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(.*\))?$/;
const fileName = /^[\w./-]+\.(?:ts|js|mjs|cjs|sql|json|md)$/;

/** The text in backticks in the comments of a source. */
const quotedIn = (text: string): readonly string[] => {
  const lines = (text.match(comments) ?? []).map((line) => line.replace(/^\s*(?:\/\/|\/?\*+)/, ''));
  return [...lines.join(' ').matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted.replaceAll(/\s+/g, ' '));
};

/** The words of a program without its comments, and without strings that are sentences or paths. */
const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(comments, '')
    .replaceAll(/'[^'\n]*'/g, (string) => (/[ /]/.test(string) ? '' : string))
    .match(/[A-Za-z_]\w*/g) ?? [];

/** The files in a folder, without what is installed or built: installed packages link to one another in circles. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return ['node_modules', 'dist', '.git'].includes(entry.name) ? [] : filesIn(path);
  });

const statements = ['packages/postgres/sql', 'packages/postgres-operations/sql']
  .flatMap(filesIn)
  .filter((path) => path.endsWith('.sql'));
const columns = statements.flatMap((path) => wordsIn(readFileSync(join(root, path), 'utf8')));

const words = new Map(
  folderNames.map((folder) => [
    folder,
    new Set(sources.filter(({ path }) => path.startsWith(`${folder}/`)).flatMap(({ text }) => wordsIn(text))),
  ]),
);

/** A package or app, and all packages below it. */
const withPackagesBelow = (folder: string): readonly string[] => [
  folder,
  ...(packages[folder] ?? []).flatMap((below) => withPackagesBelow(`packages/${below}`)),
];

const knownIn = (folder: string): ReadonlySet<string> =>
  new Set([...elsewhere, ...columns, ...withPackagesBelow(folder).flatMap((below) => [...(words.get(below) ?? [])])]);

const fileNames = new Set(filesIn('.').map((path) => basename(path)));

describe('comments', () => {
  for (const folder of folderNames) {
    it(`of ${folder} name in backticks only what exists`, () => {
      const known = knownIn(folder);
      const exists = (quoted: string) =>
        fileName.test(quoted)
          ? fileNames.has(basename(quoted))
          : !name.test(quoted) || (quoted.replace(/\(.*/, '').match(/\w+/g) ?? []).every((word) => known.has(word));
      const own = sources.filter(({ path }) => path.startsWith(`${folder}/`));
      const stale = own.flatMap(({ path, text }) =>
        quotedIn(text).flatMap((quoted) => (exists(quoted) ? [] : [`${path}: ${quoted}`])),
      );
      expect(stale).to.deep.equal([]);
    });
  }
});

/** The sections of the interface that a text cites, such as `Limits` in `interface, "Limits"`. */
const sectionsCitedIn = (text: string): readonly string[] =>
  [...text.replaceAll(/\n\s*(?:\*|\/\/)\s*/g, ' ').matchAll(/\binterface, "([^"]+)"/g)].map(([, title = '']) => title);

describe('comments that cite the interface', () => {
  const page = readFileSync(join(root, 'docs/interface.md'), 'utf8');
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);

  it('name sections that docs/interface.md has', () => {
    const cited = sources.flatMap(({ path, text }) => sectionsCitedIn(text).map((title) => [path, title]));
    expect(cited.length).to.be.greaterThan(30);
    expect(cited.filter(([, title]) => !headings.includes(title))).to.deep.equal([]);
  });
});
