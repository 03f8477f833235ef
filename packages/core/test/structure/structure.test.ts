import { dirname } from 'node:path';
import { expect } from 'chai';
import { floors, loadedOnDemand, packages } from './floors.ts';
import { folderNames, localImports, sources, unique } from './sources.ts';

/** The folder or file directly in `folder` that a path leads to. */
const entryOf = (folder: string, path: string): string | undefined =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;

const isFolder = (entry: string): boolean => !entry.endsWith('.ts');

const ancestorsOf = (path: string): readonly string[] => {
  const parent = dirname(path);
  return parent.endsWith('/src') ? [parent] : [parent, ...ancestorsOf(parent)];
};

/** Every folder that contains sources. */
const folders = unique(sources.flatMap(({ path }) => ancestorsOf(path)));

const foldersIn = (folder: string): readonly string[] =>
  unique(sources.flatMap(({ path }) => entryOf(folder, path) ?? []).filter(isFolder));

/** Imports from an entry of the folder into a higher one, as `from -> to`. */
const upwardIn = (folder: string): readonly string[] => {
  const order = floors[folder] ?? [];
  const floorOf = (entry: string) => {
    const floor = order.indexOf(entry);
    return floor === -1 ? order.length : floor;
  };
  return localImports.flatMap(([from, to]) => {
    const [lower, upper] = [entryOf(folder, from), entryOf(folder, to)];
    if (lower === undefined || upper === undefined) return [];
    return floorOf(lower) < floorOf(upper) ? [`${from} -> ${to}`] : [];
  });
};

describe('the folders of every package', () => {
  it('all have a floor', () => {
    const listed = Object.entries(floors).map(([folder, order]) => [folder, unique(order.filter(isFolder))]);
    const present = folders.map((folder) => [folder, foldersIn(folder)] as const);
    expect(Object.fromEntries(listed)).to.deep.equal(
      Object.fromEntries(present.filter(([, names]) => names.length > 0)),
    );
  });

  it('have no floors for files that do not exist', () => {
    const listed = Object.entries(floors).flatMap(([folder, order]) => order.map((name) => `${folder}/${name}`));
    const present = new Set([...folders, ...sources.map(({ path }) => path)]);
    expect(listed.filter((path) => !present.has(path))).to.deep.equal([]);
  });

  for (const folder of Object.keys(floors)) {
    it(`import only what is below them in ${folder}`, () => {
      expect(upwardIn(folder)).to.deep.equal([]);
    });
  }
});

/** The interfaces in port files, with their number of methods. */
const portSizes = sources
  .filter(({ path }) => path.startsWith('packages/core/src/') && path.endsWith('ports.ts'))
  .flatMap(({ text }) =>
    [...text.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gms)].map(
      ([, name = '', body = '']) => [name, [...body.matchAll(/^ {2}\w+(?:<.*>)?\(/gm)].length] as const,
    ),
  );

describe('the ports', () => {
  it('have at most seven methods each', () => {
    expect(new Map(portSizes).get('Members'), 'methods that are found').to.equal(7);
    expect(portSizes.filter(([, methods]) => methods > 7)).to.deep.equal([]);
  });
});

const workspaceNames = (imports: readonly string[]): readonly string[] =>
  unique(imports.flatMap((target) => /^@zonewright\/([^/]+)/.exec(target)?.[1] ?? []));

describe('the packages', () => {
  for (const folder of folderNames) {
    it(`let ${folder} depend on exactly what is listed`, () => {
      const own = sources.filter(({ path }) => path.startsWith(`${folder}/`));
      expect(workspaceNames(own.flatMap(({ imports }) => imports))).to.deep.equal(packages[folder]);
      const onDemand = workspaceNames(own.flatMap(({ dynamicImports }) => dynamicImports));
      expect(onDemand).to.deep.equal(loadedOnDemand[folder] ?? []);
    });
  }
});

/** The beginning of a statement in a text. */
const statement = /['"`]\s*(?:WITH \w+ AS|SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (?:TABLE|INDEX)) /;

describe('the sources', () => {
  it('contain no SQL: statements are files', () => {
    expect(statement.test("query('SELECT 1')"), 'a statement that is found').to.equal(true);
    expect(sources.filter(({ text }) => statement.test(text)).map(({ path }) => path)).to.deep.equal([]);
  });
});
