import { readFileSync } from 'node:fs';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { aRegistration, aZone, logIn, type User, unique } from '../support/arrange.ts';
import { clientOf, cookieValue } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { type Mailbox, openMailbox, tokenIn } from '../support/mailbox.ts';
import { codeOf } from '../support/two-factor.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './support/api-process.ts';
import { dumpOf, holds } from './support/hiding-places.ts';
import { enableTwoFactor } from './support/people.ts';
import { until } from './support/until.ts';

const [firstPassword, resetPassword, changedPassword, wrongPassword] = [
  'Secret-Of-Registration-1',
  'Secret-Of-Reset-2',
  'Secret-Of-Change-3',
  'Secret-Never-Right-4',
];

describe('Secrets', function () {
  this.timeout(60_000);
  let home: Home;
  let mails: Mailbox;
  let database: Database;
  let api: ApiProcess;
  /** All secrets, by description. */
  const secrets = new Map<string, string>();
  const addresses: string[] = [];
  let ada: User;

  const keep = (name: string, secret: string): string => {
    expect(secret, name).to.have.length.of.at.least(6);
    secrets.set(name, secret);
    return secret;
  };
  const post = (path: string, body: unknown) => clientOf(api.url).post(`/api/auth/${path}`, body);

  before(async () => {
    home = makeHome();
    mails = await openMailbox();
    const fresh = await freshDatabase();
    database = fresh.database;
    const smtp = new URL(mails.url);
    // The server requires no password, but one is configured anyway.
    smtp.username = 'mailer';
    smtp.password = keep('password of the mail server', 'Secret-Of-Mail-5');
    keep('password of the database', new URL(fresh.url).password);
    api = await startApi(home, { DATABASE_URL: fresh.url, SMTP_URL: mails.url, LOG_LEVEL: 'trace' });
    keepKeys();
    ada = await live();
    await provokeRefusals();
    await provokeFailures();
  });
  after(async () => {
    await api.kill();
    await database.$pool.end();
    await mails.close();
    home.remove();
  });

  function keepKeys() {
    const file = readFileSync(`${home.environment['DATA_DIR']}/keys.json`, 'utf8');
    const rings = JSON.parse(file) as Readonly<Record<string, { readonly keys: readonly { readonly key: string }[] }>>;
    for (const [purpose, { keys }] of Object.entries(rings)) keep(`key for ${purpose}`, keys[0]?.key ?? '');
  }

  /** Performs every operation that returns a secret, and collects them. */
  async function live(): Promise<User> {
    const registration = { ...aRegistration(), password: keep('password of the registration', firstPassword) };
    const { email } = registration;
    addresses.push(email);
    const { id } = (await post('register', registration)).json() as { readonly id: string };
    const verification = keep('token of the verification mail', tokenIn(await mails.nextMailTo(email)));
    expect((await post('verify-email', { token: verification })).status).to.equal(200);
    await post('forgot-password', { email });
    const reset = keep('token of the reset mail', tokenIn(await mails.nextMailTo(email)));
    const chosen = keep('password of the reset', resetPassword);
    expect((await post('reset-password', { token: reset, password: chosen })).status).to.equal(200);
    const tokens = keepTokens('login', await logIn(api, { email, password: chosen }));
    const renewed = await post('refresh', { refreshToken: tokens.refreshToken });
    const current = keepTokens('refresh', renewed.json() as Tokens);
    expect(cookieValue(renewed, '__Secure-refresh_token')).to.equal(current.refreshToken);
    const client = clientOf(api.url, { authorization: `Bearer ${current.token}` });
    const { organization } = await database.one<{ organization: number }>(
      'SELECT organization_id AS organization FROM memberships WHERE user_id = $1',
      [id],
    );
    const user = { ...client, ...current, url: api.url, id, email, password: chosen, organization };
    await liveOn(user);
    return user;
  }

  async function liveOn(user: User): Promise<void> {
    const change = { currentPassword: user.password, newPassword: keep('password of the change', changedPassword) };
    expect((await user.post('/api/users/me/password', change)).status).to.equal(200);
    const made = await user.post('/api/api-tokens', { name: 'a token', readOnly: true });
    keep('API token', (made.json() as { readonly plainToken: string }).plainToken);
    expect(
      (await clientOf(api.url, { 'x-api-token': secrets.get('API token') ?? '' }).get('/api/zones')).status,
    ).to.equal(200);
    const guest = `guest${unique()}@example.com`;
    addresses.push(guest);
    await user.post(`/api/organizations/${user.organization}/invitations`, { email: guest, role: 'viewer' });
    keep('token of the invitation mail', tokenIn(await mails.nextMailTo(guest)));
    await aZone(user);
    await useTwoFactors(user);
  }

  async function useTwoFactors(user: User): Promise<void> {
    const { secret, otpauthUri, qrDataUri, code, recoveryCodes } = await enableTwoFactor(user);
    keep('TOTP secret', secret);
    keep('otpauth URI', otpauthUri);
    keep('QR code', qrDataUri.slice(qrDataUri.indexOf(',') + 1));
    keep('TOTP code of the setup', code);
    const replaced = await user.post('/api/2fa/recovery-codes', { code: codeOf(secret, 1) });
    expect(replaced.status, replaced.text).to.equal(200);
    keep('TOTP code of the replacement', codeOf(secret, 1));
    const newCodes = (replaced.json() as { readonly recoveryCodes: readonly string[] }).recoveryCodes;
    for (const [index, each] of [...recoveryCodes, ...newCodes].entries()) {
      keep(`recovery code ${index}`, each);
      keep(`recovery code ${index} without separators`, each.replaceAll('-', ''));
    }
    const challenged = await post('login', { email: user.email, password: changedPassword });
    const { challengeToken } = challenged.json() as { readonly challengeToken: string };
    keep('challenge token', challengeToken);
    const signedIn = await post('2fa', { challengeToken, code: newCodes[0] });
    expect(signedIn.status, signedIn.text).to.equal(200);
    keepTokens('second factor', signedIn.json() as Tokens);
  }

  const keepTokens = (from: string, { token, refreshToken }: Tokens): Tokens => ({
    token: keep(`access token of the ${from}`, token),
    refreshToken: keep(`refresh token of the ${from}`, refreshToken),
  });

  /** Sends secrets where they are rejected: in invalid headers, paths, queries and bodies. */
  async function provokeRefusals(): Promise<void> {
    keep('wrong password', wrongPassword);
    const { refreshToken } = ada;
    for (const [path, body] of [
      ['login', { email: ada.email, password: wrongPassword }],
      ['login', { email: `unknown${unique()}@example.com`, password: wrongPassword }],
      ['register', { ...aRegistration(), email: ada.email, password: changedPassword }],
      ['refresh', { refreshToken: [refreshToken] }],
      ['2fa', { challengeToken: secrets.get('challenge token'), code: secrets.get('recovery code 1') }],
      ['reset-password', { token: secrets.get('token of the reset mail'), password: changedPassword }],
    ] as const) {
      expect((await post(path, body)).status).to.be.within(400, 422);
    }
    const broken = { headers: { 'content-type': 'application/json' }, body: `{"password":"${wrongPassword}"` };
    expect((await clientOf(api.url).send('POST', '/api/auth/login', broken)).status).to.equal(400);
    for (const path of [
      `/api/zones/${refreshToken}`,
      `/${ada.token}`,
      `/api/zones?q=${refreshToken}&page=${ada.token}`,
    ]) {
      expect(
        (await clientOf(api.url, { 'x-api-token': ada.token, cookie: `mfa_pending=${refreshToken}` }).get(path)).status,
      ).to.be.within(400, 404);
    }
  }

  /**
   * Causes failures in code that handles secrets. Database messages and error properties hold whole rows and all
   * parameters of a statement.
   */
  async function provokeFailures(): Promise<void> {
    const registration = { ...aRegistration(), password: changedPassword };
    addresses.push(registration.email);
    await failing('users', `RAISE not_null_violation USING DETAIL = 'Failing row contains ' || NEW::text`, async () => {
      expect((await post('register', registration)).status).to.equal(500);
    });
    // Suppresses the insert, so that the expected row is missing from the statement's result.
    await failing('mailed_tokens', 'RETURN NULL', async () => {
      expect((await post('register', registration)).status).to.equal(500);
    });
    await failing('sessions', `RAISE unique_violation USING DETAIL = NEW::text, HINT = NEW::text`, async () => {
      const person = { ...aRegistration(), password: changedPassword };
      addresses.push(person.email);
      await post('register', person);
      await post('verify-email', { token: tokenIn(await mails.nextMailTo(person.email)) });
      expect((await post('login', person)).status).to.equal(500);
    });
    expect((await post('register', registration)).status).to.equal(201);
  }

  /** Runs the work while inserts into a table fail in this way. */
  async function failing(table: string, ending: string, work: () => Promise<void>): Promise<void> {
    await database.none(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${ending}; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    await work();
    await database.none('DROP FUNCTION fail() CASCADE');
  }

  it('never appear in the log, whatever fails', async () => {
    // Lines are buffered: the last request's line arrives after all earlier ones.
    await clientOf(api.url).get('/api/zones', { 'x-request-id': 'the-last-line' });
    await until(async () => api.output().includes('the-last-line'));
    const output = api.output();
    const lines = output.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.filter((line) => line.includes('"request"'))).to.have.length.of.at.least(30);
    expect(lines.filter((line) => line.includes('request failed'))).to.have.length.of.at.least(3);
    for (const [name, secret] of secrets)
      expect(holds(output, secret), `${name} in ${lineWith(lines, secret)}`).to.equal(false);
  });

  it("are not in the log as hashes of passwords and tokens either, nor are people's addresses", async () => {
    const output = api.output();
    expect(output).not.to.include('$argon2');
    for (const address of addresses) expect(output.toLowerCase()).not.to.include(address.toLowerCase());
    const hashes = await database.any<{ hash: string }>(
      `SELECT hash FROM refresh_tokens UNION ALL SELECT hash FROM mailed_tokens UNION ALL SELECT hash FROM challenges
      UNION ALL SELECT hash FROM api_tokens UNION ALL SELECT hash FROM recovery_codes`,
    );
    expect(hashes.length).to.be.at.least(10);
    for (const { hash } of hashes) expect(output).not.to.include(hash);
  });

  it('are never stored in plain text', async () => {
    const dump = await dumpOf(database);
    expect(dump.get('users')).to.include(ada.email);
    for (const [table, rows] of dump) {
      for (const [name, secret] of secrets) expect(holds(rows, secret), `${name} in ${table}`).to.equal(false);
    }
  });

  it('are not returned again by any read', async () => {
    const { token } = await completeLogin();
    const again = clientOf(api.url, { authorization: `Bearer ${token}`, accept: 'application/json' });
    const [{ id }] = (await again.get('/api/zones')).json() as [{ readonly id: string }];
    for (const path of [
      '/api/users/me',
      '/api/users/me/sessions',
      '/api/api-tokens',
      '/api/organizations',
      `/api/organizations/${ada.organization}/members`,
      `/api/organizations/${ada.organization}/invitations`,
      '/api/zones',
      `/api/zones/${id}`,
    ]) {
      const reply = await again.get(path);
      expect(reply.status, path).to.equal(200);
      for (const [name, secret] of secrets) expect(holds(reply.text, secret), `${name} in ${path}`).to.equal(false);
    }
  });

  async function completeLogin(): Promise<Tokens> {
    const challenged = await post('login', { email: ada.email, password: changedPassword });
    const { challengeToken } = challenged.json() as { readonly challengeToken: string };
    const done = await post('2fa', { challengeToken, code: secrets.get('recovery code 15') });
    expect(done.status, done.text).to.equal(200);
    return done.json() as Tokens;
  }
});

interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

const lineWith = (lines: readonly string[], secret: string): string =>
  lines.find((line) => holds(line, secret))?.slice(0, 2_000) ?? 'no single line';
