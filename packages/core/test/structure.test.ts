import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');

/**
 * Folders of the core from the bottom up: each may import those before it. The linter detects cycles between files
 * (`import/no-cycle`, including types).
 */
const folders = [
  'shared',
  'usage-limits',
  'access',
  'audit',
  'mail',
  'organizations',
  'accounts',
  'two-factor',
  'sessions',
  'api-tokens',
  'invitations',
  'administration',
  'backends',
  'settings',
  'conditions',
  'rule-kinds',
  'history',
  'merging',
  'zones',
  'rules',
  'drafts',
  'basic-auth-users',
  'revisions',
  'transfer',
  'deleted-zones',
  'evaluation',
  'change-sets',
  'promotions',
  'findings',
  'rate-limits',
  'idempotency',
];

/** The workspace packages that each source imports. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'apps/api': ['analysis', 'configuration', 'core', 'crypto', 'postgres', 'smtp'],
  'apps/cli': ['configuration', 'core', 'crypto', 'postgres', 'smtp'],
  'packages/analysis': ['core', 'engine', 'gate'],
  'packages/configuration': ['core', 'crypto'],
  'packages/contract-tests': ['core', 'memory'],
  'packages/core': ['engine'],
  'packages/crypto': ['core', 'gate'],
  'packages/dev-postgres': [],
  'packages/engine': [],
  'packages/gate': [],
  'packages/memory': ['core'],
  'packages/postgres': ['core'],
  'packages/smtp': ['core'],
};

/** The same for packages loaded on demand, so that an installation can omit them. */
const loadedOnDemand: Readonly<Record<string, readonly string[]>> = {
  'apps/api': ['dev-postgres'],
  'apps/cli': ['dev-postgres'],
};

interface Source {
  /** Path relative to the folder. */
  readonly path: string;
  /** Import and export specifiers, as written. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(root, folder, path), 'utf8');
      const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, target = '']) => target);
      return {
        path,
        imports: all(/^(?:import|export|\})[^'\n]*(?: from)? '([^']+)';$/gm),
        dynamicImports: all(/\bimport\('([^']+)'\)/g),
      };
    });

/** Imports between files of the core, as paths below its source folder. */
const coreImports = sourcesIn('packages/core/src').flatMap(({ path, imports }) =>
  imports.filter((target) => target.startsWith('.')).map((target) => [path, normalize(join(dirname(path), target))]),
) as readonly (readonly [from: string, to: string])[];

const folderOf = (path: string): string | undefined => (path.includes('/') ? path.split('/')[0] : undefined);

/** Imports from a folder into a higher one. */
const upward = coreImports.filter(([from, to]) => {
  const [lower, upper] = [folderOf(from), folderOf(to)];
  return lower !== undefined && upper !== undefined && folders.indexOf(lower) < folders.indexOf(upper);
});

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();

const workspaceNames = (imports: readonly string[]): readonly string[] =>
  unique(imports.flatMap((target) => /^@zonewright\/([^/]+)/.exec(target)?.[1] ?? []));

describe('the folders of the core', () => {
  it('all have a place in the order', () => {
    const present = coreImports.flat().flatMap((path) => folderOf(path) ?? []);
    expect(unique(present)).to.deep.equal(unique(folders));
  });

  it('import only what is below them', () => {
    expect(upward).to.deep.equal([]);
  });

  it('import only the repositories from the files above them all', () => {
    const targets = coreImports.flatMap(([from, to]) => (folderOf(from) !== undefined && !folderOf(to) ? [to] : []));
    expect(unique(targets)).to.deep.equal(['repositories.ts']);
    const ofShared = coreImports.filter(([from, to]) => folderOf(from) === 'shared' && folderOf(to) !== 'shared');
    expect(ofShared).to.deep.equal([]);
  });
});

/** The interfaces in port files, with their number of methods. */
const portSizes = sourcesIn('packages/core/src')
  .filter(({ path }) => path.endsWith('ports.ts'))
  .flatMap(({ path }) => {
    const text = readFileSync(join(root, 'packages/core/src', path), 'utf8');
    return [...text.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gms)].map(
      ([, name = '', body = '']) => [name, [...body.matchAll(/^ {2}\w+(?:<.*>)?\(/gm)].length] as const,
    );
  });

describe('the ports', () => {
  it('have at most seven methods each', () => {
    expect(new Map(portSizes).get('Members'), 'methods that are found').to.equal(7);
    expect(portSizes.filter(([, methods]) => methods > 7)).to.deep.equal([]);
  });
});

describe('the packages', () => {
  const folderNames = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => relative(root, join(root, folder, name))),
  );

  for (const folder of folderNames) {
    it(`let ${folder} depend on exactly what is listed here`, () => {
      const sources = sourcesIn(join(folder, 'src'));
      expect(workspaceNames(sources.flatMap(({ imports }) => imports))).to.deep.equal(packages[folder]);
      const onDemand = workspaceNames(sources.flatMap(({ dynamicImports }) => dynamicImports));
      expect(onDemand).to.deep.equal(loadedOnDemand[folder] ?? []);
    });
  }
});
