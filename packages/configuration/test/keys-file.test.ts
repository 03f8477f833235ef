import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { describeConfigError } from '../src/config.ts';
import {
  addRing,
  changeRing,
  createKeys,
  type KeyPurpose,
  type Keys,
  keyPurposes,
  newKey,
  openKeys,
} from '../src/keys-file.ts';

/** For other processes: the build of the full check if there is one, which loads much faster, otherwise the source. */
const keysFileModule: readonly [path: string, ...flags: string[]] =
  process.env['ZONEWRIGHT_TEST_BUILD'] === '1'
    ? ['../dist/keys-file.js']
    : ['../src/keys-file.ts', '--import', 'tsx', '--conditions=@zonewright/source'];

interface RingJson {
  current: string;
  keys: { kid: string; key: string }[];
}
type KeysJson = Record<string, RingJson>;

const keysIn = (path: string, options: { createIfMissing: boolean }): Keys =>
  openKeys(path, options).match(
    (keys) => keys,
    (errors) => expect.fail(errors.map(describeConfigError).join()),
  );

const random = (bytes = 32): string => randomBytes(bytes).toString('base64url');
const ring = (key = random()): RingJson => ({ current: 'a', keys: [{ kid: 'a', key }] });
const validKeys = (): KeysJson => Object.fromEntries(keyPurposes.map((purpose) => [purpose, ring()]));

describe('createKeys', () => {
  it('creates a file that works, and refuses to replace one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-keys-'));
    const path = join(folder, 'keys.json');
    expect(createKeys(path).isOk()).to.equal(true);
    const content = readFileSync(path, 'utf8');
    expect(openKeys(path, { createIfMissing: false }).isOk()).to.equal(true);
    const lines = createKeys(path).match(
      () => [],
      (errors) => errors.map(describeConfigError),
    );
    expect(lines).to.deep.equal([`KEYS_FILE: ${JSON.stringify(path)} exists already`]);
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).to.deep.equal([content, ['keys.json']]);
    rmSync(folder, { recursive: true });
  });
});

describe('changeRing', () => {
  it('leaves the file to its owner, who may not write to the folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-keys-'));
    const path = join(folder, 'keys.json');
    // As with the systemd unit: root runs the commands, and the service's user reads the file.
    const isRoot = process.getuid?.() === 0;
    const [uid, gid] = isRoot ? [64321, 64322] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    chmodSync(folder, 0o755);
    writeFileSync(path, JSON.stringify(validKeys()), { mode: 0o400 });
    chownSync(path, uid, gid);
    const added = newKey();
    const changed = changeRing(path, 'jwt', ({ keys }) => ok({ current: added.kid, keys: [...keys, added] }));
    expect(changed.isOk()).to.equal(true);
    const stats = statSync(path);
    expect([stats.uid, stats.gid, stats.mode & 0o777]).to.deep.equal([uid, gid, 0o400]);
    expect(keysIn(path, { createIfMissing: false }).jwt.current).to.equal(added.kid);
    expect(readdirSync(folder)).to.deep.equal(['keys.json']);
    rmSync(folder, { recursive: true });
  });
});

describe('openKeys', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonewright-keys-'));
    path = join(folder, 'deep', 'keys.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const linesFor = (content: unknown, mode = 0o600): string[] => {
    path = join(folder, 'keys.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
    return openKeys(path, { createIfMissing: true }).match(
      () => [],
      (errors) => errors.map((error) => describeConfigError(error).replace(JSON.stringify(path), 'FILE')),
    );
  };

  it('creates the file once, readable only by its owner, and reads the same keys afterwards', () => {
    const first = keysIn(path, { createIfMissing: true });
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(keysIn(path, { createIfMissing: false })).to.deep.equal(first);
    expect(readdirSync(join(folder, 'deep'))).to.deep.equal(['keys.json']);
  });

  it('creates a distinct 32-byte key for each purpose', () => {
    const keys = keysIn(path, { createIfMissing: true });
    const all = keyPurposes.flatMap((purpose) => keys[purpose].keys);
    expect(all.map(({ key }) => key.length)).to.deep.equal(keyPurposes.map(() => 32));
    expect(new Set(all.map(({ key }) => Buffer.from(key).toString('hex'))).size).to.equal(keyPurposes.length);
    expect(new Set(all.map(({ kid }) => kid)).size).to.equal(keyPurposes.length);
  });

  it('does not create a missing file in production', () => {
    const errors = openKeys(path, { createIfMissing: false }).match(
      () => [],
      (found) => found,
    );
    expect(errors.map(describeConfigError)).to.deep.equal([`KEYS_FILE: ${JSON.stringify(path)} does not exist`]);
  });

  it('returns the same keys to processes that start concurrently', async () => {
    const [module, ...loader] = keysFileModule;
    const script = `import { openKeys } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, module)).href)};
      const keys = openKeys(process.argv[1], { createIfMissing: true }).unwrapOr(undefined);
      console.log(Buffer.from(keys.jwt.keys[0].key).toString('hex'));`;
    const flags = [...loader, '--input-type=module', '-e', script, path];
    const runs = await Promise.all(Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, flags)));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).to.equal(1);
    expect(readdirSync(join(folder, 'deep'))).to.deep.equal(['keys.json']);
  }).timeout(30_000);

  it('reads several keys per ring and keeps their ids', () => {
    const rotated = {
      current: 'new',
      keys: [
        { kid: 'old', key: random() },
        { kid: 'new', key: random(64) },
      ],
    };
    expect(linesFor({ ...validKeys(), jwt: rotated })).to.deep.equal([]);
    const { jwt } = keysIn(path, { createIfMissing: false });
    expect(jwt.current).to.equal('new');
    expect(jwt.keys.map(({ kid, key }) => [kid, key.length])).to.deep.equal([
      ['old', 32],
      ['new', 64],
    ]);
  });

  const twice = random();
  const refused: [string, unknown, string][] = [
    ['text that is not JSON', '{', 'is not JSON'],
    ['an empty file', '', 'is not JSON'],
    ['a list', '[]', 'is not a JSON object'],
    ['a ring of another type', { ...validKeys(), totp: 'none' }, 'is invalid: totp is missing or not an object'],
    ['an unknown member', { ...validKeys(), cookies: ring() }, 'has unknown members: "cookies"'],
    ['an empty ring', { ...validKeys(), jwt: { current: 'a', keys: [] } }, 'is invalid: jwt.keys is empty'],
    ['a short key', { ...validKeys(), jwt: ring(random(31)) }, 'is invalid: jwt.keys[0].key is shorter than 32 bytes'],
    [
      'a key in another alphabet',
      { ...validKeys(), jwt: ring(`${random()}+/=`) },
      'is invalid: jwt.keys[0].key is not base64url',
    ],
    [
      'zeros',
      { ...validKeys(), outbox: ring(Buffer.alloc(32).toString('base64url')) },
      'is invalid: outbox.keys[0].key is a sample key, not a random one',
    ],
    [
      'one repeated byte',
      { ...validKeys(), outbox: ring(Buffer.alloc(40, 7).toString('base64url')) },
      'is invalid: outbox.keys[0].key is a sample key, not a random one',
    ],
    [
      'a count',
      { ...validKeys(), outbox: ring(Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64url')) },
      'is invalid: outbox.keys[0].key is a sample key, not a random one',
    ],
    [
      'text',
      { ...validKeys(), outbox: ring(Buffer.from('change-me-change-me-in-production').toString('base64url')) },
      'is invalid: outbox.keys[0].key is a sample key, not a random one',
    ],
    [
      'the same key for two purposes',
      { ...validKeys(), jwt: ring(twice), totp: ring(twice) },
      'is invalid: the same key is used twice',
    ],
    [
      'two keys of one name',
      { ...validKeys(), jwt: { current: 'a', keys: [...ring().keys, ...ring().keys] } },
      'is invalid: jwt has two keys with the same kid',
    ],
    [
      'a current key that is not there',
      { ...validKeys(), jwt: { ...ring(), current: 'b' } },
      'is invalid: jwt has no key with the kid given in "current"',
    ],
    [
      'a dotted kid',
      { ...validKeys(), jwt: { current: 'a.b', keys: [] } },
      'is invalid: jwt.current is not 1..32 characters of A-Z, a-z, 0-9, _ and -',
    ],
  ];
  for (const [name, content, problem] of refused) {
    it(`refuses ${name}`, () => {
      expect(linesFor(content)).to.include(`KEYS_FILE: FILE ${problem}`);
    });
  }

  it('adds a random key for each ring that an older file lacks, and changes no others', () => {
    const { idempotency: _, ...old } = validKeys();
    expect(linesFor(old)).to.deep.equal([]);
    const stored = JSON.parse(readFileSync(path, 'utf8')) as KeysJson;
    expect(stored)
      .to.deep.include(old)
      .and.to.have.keys(...keyPurposes);
    const keys = keysIn(path, { createIfMissing: false });
    expect(keys.idempotency.keys).to.have.length(1);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['keys.json']);
    expect(keysIn(path, { createIfMissing: true })).to.deep.equal(keys);
  });

  const { outbox: _, ...withoutMails } = validKeys();
  const damaged: [string, object, string][] = [
    ['a file without any ring', {}, keyPurposes.map((purpose) => JSON.stringify(purpose)).join(', ')],
    [
      'a file with one ring',
      { idempotency: ring() },
      '"jwt", "totp", "recovery", "outbox", "limiter", "banTokens", "flows"',
    ],
    ['a file without one that every version had', withoutMails, '"outbox"'],
  ];
  for (const [name, content, rings] of damaged) {
    it(`refuses ${name} as damaged, and leaves it as it is`, () => {
      const problem = `is damaged: it has no key ring ${rings}; put back a copy of it`;
      expect(linesFor(content)).to.deep.equal([`KEYS_FILE: FILE ${problem}`]);
      expect(readFileSync(path, 'utf8')).to.equal(JSON.stringify(content));
      expect(readdirSync(folder)).to.deep.equal(['keys.json']);
    });
  }

  it('leaves an older file unchanged if it has other errors, or another process is adding keys', () => {
    const { idempotency: _, ...old } = validKeys();
    const wrong = { ...old, jwt: ring(random(8)) };
    expect(linesFor(wrong)).to.deep.equal(['KEYS_FILE: FILE is invalid: jwt.keys[0].key is shorter than 32 bytes']);
    expect(readdirSync(folder)).to.deep.equal(['keys.json']);
    writeFileSync(join(folder, 'keys.json.new'), '');
    expect(linesFor(old).join()).to.match(/^KEYS_FILE: FILE cannot be changed: .*EEXIST/);
    expect(JSON.parse(readFileSync(path, 'utf8'))).to.deep.equal(old);
  });

  it('explains in production which ring is missing, and how to add it', () => {
    const { idempotency: _, ...old } = validKeys();
    path = join(folder, 'keys.json');
    writeFileSync(path, JSON.stringify(old), { mode: 0o600 });
    const errors = openKeys(path, { createIfMissing: false }).match(
      () => [],
      (found) => found,
    );
    expect(errors.map(describeConfigError)).to.deep.equal([
      `KEYS_FILE: ${JSON.stringify(path)} has no key ring "idempotency": add it with "zonewright keys add idempotency"`,
    ]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).to.deep.equal(old);
  });

  it('adds missing rings one by one, none twice, and none to a damaged file', () => {
    const { idempotency: _, flows: __, ...old } = validKeys();
    path = join(folder, 'keys.json');
    writeFileSync(path, JSON.stringify(old), { mode: 0o600 });
    const add = (ring: KeyPurpose) => addRing(path, ring).mapErr((found) => found.map(({ problem }) => problem).join());
    const kid = add('flows')._unsafeUnwrap();
    expect(add('flows')._unsafeUnwrapErr()).to.match(/has a key ring "flows" already$/);
    add('idempotency')._unsafeUnwrap();
    expect(keysIn(path, { createIfMissing: false }).flows.current).to.equal(kid);
    expect(JSON.parse(readFileSync(path, 'utf8'))).to.deep.include(old);
    writeFileSync(path, JSON.stringify(withoutMails));
    expect(add('outbox')._unsafeUnwrapErr()).to.match(/is damaged/);
  });

  it('reports all errors of a file', () => {
    expect(linesFor({ ...validKeys(), jwt: ring(random(8)), limiter: ring(random(8)) })).to.have.length(2);
  });

  it('never repeats a key in an error', () => {
    const key = `${random(16)}!`;
    expect(linesFor({ ...validKeys(), jwt: ring(key) }).join()).to.not.include(key);
  });

  for (const mode of [0o640, 0o604, 0o666]) {
    it(`refuses a file with mode ${mode.toString(8)}`, () => {
      linesFor(validKeys());
      chmodSync(path, mode);
      const errors = openKeys(path, { createIfMissing: true }).match(
        () => [],
        (found) => found,
      );
      expect(errors.map(describeConfigError)).to.deep.equal([
        `KEYS_FILE: ${JSON.stringify(path)} is accessible to other users (run chmod 600)`,
      ]);
      expect(JSON.parse(readFileSync(path, 'utf8'))).to.have.keys(...keyPurposes);
    });
  }
});
