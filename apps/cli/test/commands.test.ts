import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  IdentityId,
  Login,
  OrganizationId,
  ProviderId,
  parse,
  type TotpSecret,
  UserId,
  useCases,
} from '@zonewright/core';
import { expect } from 'chai';
import { shell } from './support.ts';

const root = join(import.meta.dirname, '../../..');

describe('The command line', function () {
  this.timeout(60_000);
  const { env, run, json, open } = shell();
  const person = (email: string) => `--email ${email} --first-name Ada --last-name Lovelace`;
  const idOf = async (email: string) => UserId.parse(((await json(`users show ${email}`)) as { id: string }).id);

  it('migrates an empty database, which other commands require', async () => {
    const early = await run('organizations list');
    expect(early.code).to.equal(1);
    expect(early.err).to.match(/is missing \d+ migrations: run "zonewright migrate" first/);
    const { applied } = (await json('migrate')) as { applied: readonly string[] };
    expect(applied[0]).to.equal('0001_kernel');
    expect((await run('migrate')).out).to.equal('The schema is up to date.\n');
  });

  it('creates users with a password from standard input, or with a mail for choosing one', async () => {
    const created = await run(`users create ${person('ada@example.com')} --password-stdin`, { stdin: 'Correct-1\n' });
    expect(created).to.include({ code: 0, err: '' });
    expect(created.out).to.include('They can sign in right away.');
    const mailed = await run(`users create ${person('grace@example.com')}`);
    expect(mailed.out).to.include('A mail with a link to choose a password is queued.');
    expect(await json('users show grace@example.com')).to.include({ hasPassword: false, emailVerified: true });
    expect(await run(`users create ${person('ADA@example.com')}`)).to.include({
      code: 1,
      err: 'An account with this address already exists.\n',
    });
    const weak = await run(`users create ${person('eve@example.com')} --password-stdin`, { stdin: 'short' });
    expect(weak.code).to.equal(2);
    expect(weak.err).to.match(/^password: /);
  });

  it('blocks users after confirmation, and unblocks them', async () => {
    expect(await run('users block ada@example.com')).to.deep.include({ code: 2, out: '' });
    const declined = await run('users block ada@example.com', { answers: 'n\n' });
    expect(declined.code).to.equal(1);
    expect(declined.err).to.match(/Block ada@example.com\?.*\[y\/N\] .*Nothing was changed.\n$/s);
    expect((await run('users block ada@example.com', { answers: 'y\n' })).out).to.equal(
      'ada@example.com is blocked.\n',
    );
    expect(await json('users show ada@example.com')).to.include({ active: false });
    const id = await idOf('ada@example.com');
    expect(await json(`users block ${id} --yes`)).to.deep.equal({ id, blocked: true, changed: false });
    expect(await json(`users unblock ${id}`)).to.deep.equal({ id, blocked: false, changed: true });
    expect((await run('users block nobody@example.com --yes')).err).to.include('There is no account');
  });

  it('ends the sessions of a user, and disables a second factor', async () => {
    const installation = await open();
    const user = await idOf('ada@example.com');
    await installation.unitOfWork.run(({ twoFactors }) =>
      twoFactors
        .begin({ user, secret: 'SECRET' as TotpSecret, lifetimeSeconds: 60 })
        .andThen(() => twoFactors.enable(user, { confirmed: true })),
    );
    await installation.close();
    expect((await run('users end-sessions ada@example.com -y')).out).to.include('have ended');
    expect((await run('users two-factor-off ada@example.com -y')).out).to.include('is off');
    expect((await run('users two-factor-off ada@example.com -y')).err).to.equal('The account has no second factor.\n');
    const missing = '0190c4d2-7c1e-7a3b-8a51-000000000001';
    expect((await run(`users passkeys ada@example.com --remove ${missing} -y`)).err).to.equal(
      'The account has no such passkey.\n',
    );
    expect((await run('users passkeys ada@example.com --remove mine -y')).err).to.include('is not the id of a passkey');
  });

  it('lists organizations with their members and zones', async () => {
    const found = (await json('organizations list')) as readonly object[];
    expect(found.map((each) => ({ ...each, createdAt: '', updatedAt: '' }))).to.deep.equal(
      [1, 2].map((id) => ({
        id,
        name: 'Ada Lovelace',
        enforceTwoFactor: false,
        createdAt: '',
        updatedAt: '',
        revision: 1,
        members: 1,
        zones: 0,
      })),
    );
    expect((await run('organizations list')).out).to.match(/^id {2}name +members {2}zones {2}second factor\n1 {3}Ada/);
  });

  it('shows, changes and resets the limits of an organization', async () => {
    const limitsAfter = async (options: string) =>
      ((await json(`organizations limits 1${options}`)) as { limits: Record<string, object> }).limits;
    expect((await limitsAfter(''))['zones']).to.deep.equal({
      limit: 500,
      isOwn: false,
      ceiling: 100_000,
      per: 'organization',
    });
    const set = await limitsAfter(' --zones 1000 --rewrite-rules 1000');
    expect(set['rewriteRules']).to.deep.include({ limit: 1000, isOwn: true });
    expect(set['members']).to.deep.include({ limit: 100, isOwn: false });
    const { out } = await run('organizations limits 1 --reset zones');
    expect(out).to.match(/^limit +number +set for +ceiling +per\nzones +500 +all +100000 +organization\n/);
    expect(out).to.match(/^rewrite-rules +1000 +this organization +1000 +zone$/m);
    expect(await run('organizations limits 1 --zones 100001 --members x')).to.deep.equal({
      code: 2,
      out: '',
      err: 'zones: This value should be a whole number from 0 to 100000.\nmembers: This value should be a whole number from 0 to 1000.\n',
    });
    expect((await run('organizations limits 99 --zones 1')).err).to.equal('There is no such organization.\n');
    expect((await run('organizations limits 1 --reset users')).code).to.equal(2);
    expect((await limitsAfter(' --reset all'))['rewriteRules']).to.deep.include({ limit: 200, isOwn: false });
  });

  it('changes how long data of an organization is kept', async () => {
    const { kept } = (await json('organizations retention 2 --audit-log 90 --history forever')) as { kept: object[] };
    expect(kept).to.deep.equal([
      { what: 'auditLog', days: 90, isOwn: true },
      { what: 'history', days: 'forever', isOwn: true },
      { what: 'historyDetail', days: 'forever', isOwn: false },
    ]);
    expect((await run('organizations retention 2 --history default')).out).to.match(
      /auditLog +90 +of its own\nhistory +forever +default/,
    );
    expect((await run('organizations retention 9')).err).to.equal('There is no such organization.\n');
    expect(await run('organizations retention 2 --audit-log 0')).to.deep.include({
      code: 2,
      err: '"0" is not 1 to 36500 days, "forever" or "default".\n',
    });
    expect(await json('clean-up')).to.deep.equal({ expired: 0 });
  });

  it('prints the audit log as JSON lines, from the beginning or after an entry', async () => {
    const { out, err } = await run('audit-log');
    const entries = out
      .trim()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { id: string; action: string; objects: object; client: { userAgent: string } },
      );
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'account.created',
      'account.created',
      'account.blocked',
      'account.unblocked',
      'account.sessionsEnded',
      'twoFactor.disabled',
      'organization.limitsChanged',
      'organization.limitsChanged',
      'organization.limitsChanged',
      'organization.retentionChanged',
      'organization.retentionChanged',
    ]);
    expect(entries.at(-2)).to.deep.include({ objects: { auditLog: '90', history: 'forever' } });
    expect(entries[2]).to.deep.include({ objects: { user: await idOf('ada@example.com') } });
    expect(entries[2]?.client.userAgent).to.match(/^zonewright users block \(.+\)$/);
    expect(err).to.equal('11 entries\n');
    expect(await json('audit-log')).to.deep.equal(entries);
    expect(await json('audit-log --after 999')).to.deep.equal([]);
    expect((await run('audit-log --json-lines')).out).to.equal(out);
    const rest = await run(`audit-log --after ${entries[3]?.id}`);
    expect(rest.out).to.equal(out.split('\n').slice(4).join('\n'));
  });

  it('lists and unlinks the providers of a user, and lifts the provider that an organization requires', async () => {
    const installation = await open();
    const userId = await idOf('ada@example.com');
    const identity = {
      id: IdentityId.parse('0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e'),
      provider: ProviderId.parse('corp'),
    };
    const subject = { issuer: 'https://corp.example', subject: '42', email: undefined };
    await installation.unitOfWork.run(({ identities }) => identities.link({ ...identity, ...subject, userId }));
    const [linked] = (await json('users providers list ada@example.com')) as object[];
    expect(linked).to.include(identity);
    const remove = `users providers remove ada@example.com ${identity.id} -y`;
    expect((await run(remove)).out).to.include('can no longer sign in by it');
    expect((await run(remove)).err).to.equal('The account has no such linked identity.\n');
    const organization = OrganizationId.parse(1);
    await installation.unitOfWork.run(({ organizations }) =>
      organizations
        .lock(organization)
        .andThen(({ name }) =>
          organizations.save(organization, { name, enforceTwoFactor: false, requiredProvider: identity.provider }),
        ),
    );
    expect((await run('organizations provider 1')).out).to.include('must sign in by corp');
    expect(await json('organizations provider 1 --none')).to.deep.equal({ organization: 1, requiredProvider: null });
    const audited = (await run('audit-log')).out.split('\n').filter((line) => line.includes('corp'));
    expect(audited.map((line) => (JSON.parse(line) as { action: string }).action)).to.deep.equal([
      'identity.unlinked',
      'organization.changed',
    ]);
    await installation.close();
  });

  it('changes the keys of a ring, and refuses to remove needed ones', async () => {
    const ringNamed = async (ring: string) =>
      ((await json('keys list')) as { ring: string; current: string; keys: string[] }[]).find(
        (one) => one.ring === ring,
      )!;
    const installation = await open();
    const user = await idOf('grace@example.com');
    await installation.unitOfWork.run(({ twoFactors }) =>
      twoFactors.begin({ user, secret: 'SECRET' as TotpSecret, lifetimeSeconds: 3600 }),
    );
    await installation.close();
    const { current: old } = await ringNamed('totp');
    const { kid } = (await json('keys rotate totp --keep-current')) as { kid: string };
    expect(await ringNamed('totp')).to.deep.include({ current: old, keys: [old, kid] });
    expect(await json(`keys use totp ${kid}`)).to.deep.equal({ ring: 'totp', current: kid });
    const needed = await run(`keys remove totp ${old} --yes`);
    expect(needed.code).to.equal(1);
    expect(needed.err).to.include('1 stored values of totp need the key');
    expect(await json('keys reseal')).to.deep.equal({ resealed: 1 });
    expect(await json('keys reseal')).to.deep.equal({ resealed: 0 });
    expect((await run(`keys remove totp ${kid} --yes`)).err).to.include('need the key');
    expect((await run(`keys remove totp ${old} --yes`)).code).to.equal(0);
    expect(await ringNamed('totp')).to.deep.include({ current: kid, keys: [kid] });
    expect(await run('keys remove totp unknown --yes')).to.deep.include({ code: 1, err: 'totp has no key unknown.\n' });
    expect((await run('keys use totp unknown')).err).to.include('has no key with the kid given in "current"');
    expect(await json('keys rotate jwt')).to.include({ ring: 'jwt', isCurrent: true });
    expect(readFileSync(join(env['DATA_DIR'] ?? '', 'keys.json'), 'utf8')).to.include(kid);
  });

  it('adds a ring that the keys file of an older version lacks', async () => {
    const file = join(env['DATA_DIR'] ?? '', 'old-keys.json');
    const { flows: _, ...old } = JSON.parse(readFileSync(join(env['DATA_DIR'] ?? '', 'keys.json'), 'utf8'));
    writeFileSync(file, JSON.stringify(old), { mode: 0o600 });
    env['KEYS_FILE'] = file;
    expect(await json('keys add flows')).to.include({ ring: 'flows' });
    expect((await run('keys add flows')).err).to.include('has a key ring "flows" already');
    expect((await run('keys list')).out).to.match(/^flows /m);
    delete env['KEYS_FILE'];
  });

  it('signs in a user it has created', async () => {
    const installation = await open();
    const signIn = useCases(installation.ports).logIn;
    const given = parse(Login, { email: 'ada@example.com', password: 'Correct-1' });
    const signedIn = await given.asyncAndThen((known) => signIn(known, installation.operator));
    await installation.close();
    expect(signedIn.isOk()).to.equal(true);
  });

  it('checks configuration, keys, database and mail server', async () => {
    const { code, out } = await run('check');
    expect(code, out).to.equal(0);
    expect(out).to.match(
      /^ok +configuration .*\nok +keys .*\nok +database +PostgreSQL \d+.*\nok +migrations .*\nok +mail /,
    );
    // As in compose.yaml: the password need not be part of the URL.
    const { DATABASE_URL: whole = '' } = env;
    const url = new URL(whole);
    process.env['PGPASSWORD'] = decodeURIComponent(url.password);
    url.password = '';
    env['DATABASE_URL'] = url.href;
    expect((await run('check')).code).to.equal(0);
    env['DATABASE_URL'] = whole;
    delete process.env['PGPASSWORD'];
    Object.assign(env, { SMTP_URL: 'smtp://127.0.0.1:1', KEYS_FILE: env['DATA_DIR'] });
    const broken = await run('check');
    expect(broken.code).to.equal(1);
    expect(broken.out).to.match(/FAILED +keys .*\n.*\n.*\nFAILED +mail +SMTP .*nothing listens/);
    const file = join(env['DATA_DIR'] ?? '', 'providers.json');
    const client = { clientId: 'zonewright', clientSecret: 'a secret' };
    const corp = { id: 'corp', name: 'Corp', kind: 'oidc', issuer: 'http://127.0.0.1:1', ...client };
    writeFileSync(file, JSON.stringify([corp]), { mode: 0o600 });
    Object.assign(env, { SMTP_URL: '', KEYS_FILE: '', PROVIDERS_FILE: file });
    const { out: unusable } = await run('check');
    expect(unusable).to.match(
      /FAILED +providers +The provider "corp" cannot be used: http:\/\/127.0.0.1:1: not reachable/,
    );
    Object.assign(env, { PROVIDERS_FILE: '', PORT: 'x' });
    expect((await run('check')).out).to.match(/^FAILED +configuration +PORT: "x" is not a port/);
    expect((await run('users show ada@example.com')).code).to.equal(2);
    Object.assign(env, { PORT: '' });
  });

  it('prints help, and exits with 2 on misuse', async () => {
    expect((await run('--help')).out).to.match(/^zonewright <command>.*users.*keys/s);
    expect((await run('keys rotate --help')).out).to.include('--keep-current');
    expect((await run('completion')).out).to.include('--get-yargs-completions');
    for (const wrong of ['users', 'users blck ada@example.com', 'nothing', 'keys rotate passwords', 'users block']) {
      expect((await run(wrong)).code, wrong).to.equal(2);
    }
  });

  it('sets the limits of a user, and resets them', async () => {
    const { user, limits } = (await json('users limits ada@example.com --api-tokens 200')) as {
      user: string;
      limits: Record<string, object>;
    };
    expect(user).to.equal(await idOf('ada@example.com'));
    expect(limits).to.deep.equal({
      organizations: { limit: 100, isOwn: false, ceiling: 1000, per: 'user' },
      apiTokens: { limit: 200, isOwn: true, ceiling: 1000, per: 'user' },
    });
    expect((await run('users limits ada@example.com --organizations 1001')).err).to.equal(
      'organizations: This value should be a whole number from 0 to 1000.\n',
    );
    expect((await run('users limits ada@example.com --reset api-tokens')).out).to.match(/^api-tokens +50 +all/m);
    expect((await run('users limits ada@example.com')).code).to.equal(0);
    const entries = (await run('audit-log')).out.trim().split('\n').slice(-2);
    expect(entries.map((line) => JSON.parse(line))).to.containSubset([
      { action: 'account.limitsChanged', objects: { user, apiTokens: '200' } },
      { action: 'account.limitsChanged', objects: { user, apiTokens: 'default' } },
    ]);
  });

  it('exits with 1 when a file cannot be written or read', async () => {
    expect(await run('export organization 1 -o /nowhere/file')).to.deep.equal({
      code: 1,
      out: '',
      err: "/nowhere/file cannot be written: ENOENT: no such file or directory, open '/nowhere/file'\n",
    });
    const missing = await run('import /nowhere/file --organization 1 --as ada@example.com');
    expect(missing).to.deep.include({ code: 1, out: '' });
  });

  it('prints failures as one JSON document with --json', async () => {
    const refused = await run('users show nobody@example.com --json');
    expect(refused).to.include({ code: 1, err: '' });
    expect(JSON.parse(refused.out)).to.deep.equal({ error: 'There is no account "nobody@example.com".', exitCode: 1 });
    const misused = await run('users shw --json');
    expect(misused).to.include({ code: 2, err: '' });
    expect(JSON.parse(misused.out)).to.deep.equal({
      error: 'Did you mean show?\nRun with --help for usage.',
      exitCode: 2,
    });
    expect(JSON.parse((await run('audit-log --json-lines --json')).out)).to.include({ exitCode: 2 });
  });

  it('ends with 130 after Ctrl-C at a question, and changes nothing', async () => {
    const interrupted = await run('users block ada@example.com', { answers: '\u0003' });
    expect(interrupted.code).to.equal(130);
    expect(interrupted.err).to.match(/\[y\/N\] .*Nothing was changed\.\n$/s);
    expect(await json('users show ada@example.com')).to.include({ active: true });
  });

  it('prints its version, which is that of every package', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const { code, out } = await run('--version');
    // With the commit, after a build.
    expect([code, out.trim().split('+')[0]]).to.deep.equal([0, version]);
  });

  it('lists and finds users by address or name, whatever the case', async () => {
    const emails = (found: unknown) => (found as { email: string }[]).map(({ email }) => email);
    expect(emails(await json('users list'))).to.include.members(['ada@example.com', 'grace@example.com']);
    expect(emails(await json('users search GRACE@'))).to.deep.equal(['grace@example.com']);
    expect(emails(await json('users search lovelace'))).to.include('ada@example.com');
    expect(emails(await json('users search nobody'))).to.deep.equal([]);
    expect((await run('users search grace')).out).to.match(
      /^id +email +name +state +second factor +organizations\n\S+ +grace@example\.com +Ada Lovelace +active +off +1\n$/,
    );
  });

  it('lists the members of an organization', async () => {
    const [member] = (await json('organizations members 1')) as readonly object[];
    expect(member).to.include({ email: 'ada@example.com', role: 'owner', twoFactorEnabled: false });
    expect((await run('organizations members 1')).out).to.match(/^id +email +name +role +joined +second factor\n/);
    expect(await run('organizations members 99')).to.include({ code: 1, err: 'There is no such organization.\n' });
  });

  const mistakes: Readonly<Record<string, string>> = {
    'seed --zones -1': 'The number of zones should be a whole number from 1 to 100000.',
    'seed --zones 1.5': 'The number of zones should be a whole number from 1 to 100000.',
    'seed --zones': 'Not enough arguments following: zones\nRun with --help for usage.',
    'organizations limits 1 --zones 5 --zones 6': '--zones is given more than once.\nRun with --help for usage.',
    'organizations limits 1 --rewrite-rules 5 --reset all': '--rewrite-rules is both set and reset.',
    'organizations retention one': 'Name the organization by its number.',
    'audit-log --after one': '"one" is not the id of an entry.',
    'seed --zones 100001': 'The number of zones should be a whole number from 1 to 100000.',
    'users create --email nobody --first-name Ada --last-name Lovelace':
      'email: This value is not a valid e-mail address.',
    'key list': 'Did you mean keys?\nRun with --help for usage.',
    'users lst': 'Did you mean list?\nRun with --help for usage.',
  };
  for (const [wrong, expected] of Object.entries(mistakes)) {
    it(`exits with 2 after ${wrong}`, async () => {
      expect(await run(wrong)).to.deep.equal({ code: 2, out: '', err: `${expected}\n` });
    });
  }

  it('confirms deleting an organization, and deletes it with its zones', async () => {
    const { organizations } = (await json('seed --zones 2')) as { organizations: readonly number[] };
    const [id] = organizations;
    expect((await run(`organizations delete ${id}`)).err).to.include('(Demo 1) with 2 zones? They cannot be restored.');
    expect(await json(`organizations delete ${id} --yes`)).to.deep.equal({
      organization: id,
      name: 'Demo 1',
      zones: 2,
    });
    expect((await run(`organizations delete ${id} --yes`)).err).to.equal('There is no such organization.\n');
  });

  it('erases a person after confirmation, but not the only owner of an organization that is in use', async () => {
    await json('users create --email eve@example.com --first-name Eve --last-name Example');
    const id = await idOf('eve@example.com');
    expect((await run('users erase eve@example.com')).err).to.match(/^Erase eve@example\.com\? .* Confirm with --yes/);
    expect(await json('users erase eve@example.com --yes')).to.deep.equal({ id, erased: true });
    expect((await run(`users show ${id}`)).code).to.equal(1);
    const { email, organizations } = (await json('seed --zones 1')) as { email: string; organizations: number[] };
    const refused = await run(`users erase ${email} --yes`);
    expect(refused.code).to.equal(1);
    expect(refused.err)
      .to.include(`They are the only owner of organization ${organizations[0]} (Demo 1), which has 0 other members`)
      .and.include('zonewright organizations delete');
  });

  it('encrypts ban tokens with a new key, and refuses to remove the old one before', async () => {
    await json('seed --zones 2');
    const rings = (await json('keys list')) as { ring: string; current: string }[];
    const old = rings.find(({ ring }) => ring === 'banTokens')?.current;
    expect(await json('keys rotate banTokens')).to.include({ ring: 'banTokens', isCurrent: true });
    expect((await run(`keys remove banTokens ${old} --yes`)).err).to.include(
      '3 stored values of banTokens need the key',
    );
    expect(await json('keys reseal')).to.deep.equal({ resealed: 3 });
    expect((await run(`keys remove banTokens ${old} --yes`)).code).to.equal(0);
  });

  it('runs as a program', () => {
    const output = execFileSync(
      process.execPath,
      [join(root, 'apps/cli/start.cjs'), 'users', 'show', 'ada@example.com'],
      {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      },
    );
    expect(output).to.include('email: ada@example.com');
  });
});
