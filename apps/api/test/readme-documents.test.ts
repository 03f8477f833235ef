import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { problems } from '@zonewright/api-description';
import { usageLimitVariable } from '@zonewright/configuration';
import { ruleListNames, usageLimitNames, usageLimits } from '@zonewright/core';
import { expect } from 'chai';
import { documents, read, root } from './readme-support.ts';

/** The anchor that code hosts generate for a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));

/** Broken links of a document. */
const brokenLinks = (document: string): string[] =>
  [...read(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = '', fragment] = target.split('#');
      const file = path === '' ? document : relative(root, join(root, dirname(document), path));
      return !existsSync(join(root, file)) || (fragment !== undefined && !anchorsOf(file).includes(fragment));
    });

/** Paths mentioned in a document that do not exist. */
const missingFiles = (document: string): string[] =>
  [...read(document).matchAll(/`((?:packages|apps|docs)\/[\w./-]+\.(?:ts|mjs|sql|md))`/g)]
    .map(([, path = '']) => path)
    // Build output is not in every checkout.
    .filter((path) => !path.startsWith('apps/api/dist/') && !existsSync(join(root, path)));

/** Leftovers of merges: conflict markers, as written or as reformatted, and headings they create. */
const mergeLeftovers = (document: string): string[] =>
  read(document)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .split('\n')
    .filter((line) => /^(?:([<=>|])\1{6}(?: |$)|(?:> ?){7}|#+ .*\.$)/.test(line));

/** A code block of a document and the last file named before it. */
interface Excerpt {
  readonly file: string;
  readonly code: string;
}

const excerptsIn = (document: string): Excerpt[] => {
  const text = read(document);
  return [...text.matchAll(/^( *)```(?:typescript|sql)\n([^]*?)^ *```$/gm)].map(
    ({ index, 1: indent = '', 2: block = '' }) => {
      const files = [...text.slice(0, index).matchAll(/`([\w/.-]+\.(?:ts|sql))`/g)];
      return { file: files.at(-1)?.[1] ?? '', code: block.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
    },
  );
};

describe('the documents', () => {
  it('contain no leftovers of merges', () => {
    expect(documents.flatMap((document) => mergeLeftovers(document).map((line) => [document, line]))).to.deep.equal([]);
  });

  it('have no broken links', () => {
    expect(documents.flatMap((document) => brokenLinks(document).map((link) => [document, link]))).to.deep.equal([]);
  });

  it('mention only files that exist', () => {
    expect(documents.flatMap((document) => missingFiles(document).map((path) => [document, path]))).to.deep.equal([]);
  });

  it('quote code verbatim in docs/adding-an-endpoint.md', () => {
    const excerpts = excerptsIn('docs/adding-an-endpoint.md');
    expect(excerpts).to.have.length(8);
    expect(
      excerpts.filter(({ file, code }) => !existsSync(join(root, file)) || !read(file).includes(code)),
    ).to.deep.equal([]);
  });

  it('mention only tests that exist in docs/spec-gaps.md', () => {
    const names = [...read('docs/spec-gaps.md').matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name = '']) => name);
    expect(names).to.not.deep.equal([]);
    expect(names.filter((name) => !existsSync(join(root, 'apps/api/test', name)))).to.deep.equal([]);
  });

  it('list every decision in docs/decisions/README.md', () => {
    const files = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));
    const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, name]) => name);
    expect(listed).to.deep.equal(files.toSorted());
  });

  it('list exactly the problem types of the API in docs/errors.md', () => {
    const rows = [...read('docs/errors.md').matchAll(/^- (\d{3}) `([^`]+)` \(([^)]+)\):/gm)];
    const documented = rows.map(([, status, slug, title]) => `${status} ${slug}: ${title}`);
    const table = Object.values(problems).map(({ status, slug, title }) => `${status} ${slug}: ${title}`);
    // Auth endpoints respond with 400 to an invalid value; that is a route's override, not a row.
    expect(new Set(documented)).to.deep.equal(new Set(table));
  });

  it('explain every violation code in docs/errors.md', () => {
    const sources = ['packages/core/src', 'apps/api/src'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/\/pattern[\w-]*\.ts$/.test(name))
        .map((name) => join(folder, name)),
    );
    const codes = sources.flatMap((path) => {
      const source = read(path).replaceAll(/^ *\/?\*.*$/gm, '');
      const made = [...source.matchAll(/(?:coded\(|code: |violation\([^,()]*,)\s*'([a-z]\w*\.[\w.]+)'/g)];
      const ofConditions = [...source.matchAll(/formatProblem\(\s*'([\w.]+)'/g)];
      // Problems of leaves, which get the prefix where they are reported.
      const isOfLeaves = path.endsWith('/conditions/leaf.ts');
      const ofDefinitions = [...source.matchAll(/refusal\(\s*'(\w+)'/g)];
      return [
        ...made.map(([, code = '']) => (isOfLeaves ? `condition.${code}` : code)),
        ...ofConditions.map(([, code = '']) => `condition.${code}`),
        ...ofDefinitions.map(([, code = '']) => `scenario.definition.${code}`),
      ];
    });
    expect(codes.length).to.be.greaterThan(40);
    const text = read('docs/errors.md');
    const limits = Object.values(ruleListNames).map((member) => `zone.${member}.limit`);
    expect([...codes, ...limits].filter((code) => !text.includes(`\`${code}\``))).to.deep.equal([]);
  });

  it('show every usage limit with its value in docs/operations-reference.md', () => {
    const rows = [
      ...read('docs/operations-reference.md').matchAll(/^\| `(\w+)` +\| (\d+) +\| (\d+) +\| `(LIMIT_\w+)` +\|/gm),
    ];
    expect(rows.map(([, ...cells]) => cells)).to.deep.equal(
      usageLimitNames.map((name) => {
        const { default: usual, ceiling } = usageLimits[name];
        return [name, String(usual), String(ceiling), usageLimitVariable(name)];
      }),
    );
  });

  it('explain every configuration variable for operators', () => {
    const source = ['config', 'rate-limit-variables', 'traces-variables']
      .map((name) => read(`packages/configuration/src/${name}.ts`))
      .join('');
    const variables = [...source.matchAll(/^ {2,4}([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name);
    const limits = [...source.matchAll(/^ {2}'?([a-z-]+)'?: \{ points/gm)].map(
      ([, name = '']) => `RATE_LIMIT_${name.replaceAll('-', '_').toUpperCase()}`,
    );
    expect([variables.length > 25, limits.length > 15]).to.deep.equal([true, true]);
    const text = ['operations-reference', 'operations'].map((name) => read(`docs/${name}.md`)).join('');
    expect([...variables, ...limits].filter((name) => !text.includes(`\`${name}\``))).to.deep.equal([]);
  });
});
