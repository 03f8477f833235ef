import { randomBytes } from 'node:crypto';
import type { KeyRing, Keys } from '@zonewright/configuration';
import { expect } from 'chai';
import { aVerifiedUser } from './support/arrange.ts';
import { clientOf, type Reply } from './support/client.ts';
import { openService, openTwin, type TestService } from './support/service.ts';
import { aChallenge, aTwoFactorUser, codeOf, forgetSteps, type TwoFactorUser } from './support/two-factor.ts';

describe('A new key for two-factor secrets', function () {
  this.timeout(20_000);
  let service: TestService;
  before(async () => {
    service = await openService();
  });
  after(() => service.close());

  const secretOf = async ({ id }: TwoFactorUser): Promise<string> =>
    (await service.database.one<{ secret: string }>('SELECT secret FROM two_factor WHERE user_id = $1', [id])).secret;

  /** Signs in on an instance with this key ring. */
  async function signInWith(totp: KeyRing, user: TwoFactorUser): Promise<Reply> {
    const twin = await openTwin({ ...service, keys: { ...service.keys, totp } });
    try {
      await forgetSteps(service, user);
      const challengeToken = await aChallenge(twin, user);
      return await clientOf(twin.url).post('/api/auth/2fa', { challengeToken, code: codeOf(user.secret) });
    } finally {
      await twin.close();
    }
  }

  it('re-encrypts each secret when it is used, so that the old key can be removed', async () => {
    const [user, absent] = [await aTwoFactorUser(service), await aTwoFactorUser(service)];
    const { totp: before } = service.keys;
    const next = { kid: 'k2', key: randomBytes(32) };
    expect(await secretOf(user)).to.match(/^v1\.k1\./);

    expect((await signInWith({ current: 'k2', keys: [...before.keys, next] }, user)).status).to.equal(200);
    const sealed = await secretOf(user);
    expect(sealed).to.match(/^v1\.k2\./);
    expect(await secretOf(absent)).to.match(/^v1\.k1\./);

    expect((await signInWith({ current: 'k2', keys: [next] }, user)).status).to.equal(200);
    expect(await secretOf(user), 'a secret that has the current key already').to.equal(sealed);
    // A user who has not signed in since shows that the old key is really gone.
    expect((await signInWith({ current: 'k2', keys: [next] }, absent)).status).to.equal(500);
  });
});

describe('The ring of stored responses', function () {
  this.timeout(20_000);
  let service: TestService;
  before(async () => {
    service = await openService();
  });
  after(() => service.close());

  it('decrypts them without the mail keys, and is the only one that does', async () => {
    const user = await aVerifiedUser(service);
    const ring = (): KeyRing => ({ current: 'other', keys: [{ kid: 'other', key: randomBytes(32) }] });
    const statusAt = async (keys: Partial<Keys>): Promise<number> => {
      const twin = await openTwin({ ...service, keys: { ...service.keys, ...keys } });
      const headers = { authorization: `Bearer ${user.token}`, 'idempotency-key': 'retried' };
      const reply = await clientOf(twin.url).post('/api/zones', { name: 'retried' }, headers);
      await twin.close();
      return reply.status;
    };
    expect(await statusAt({})).to.equal(201);
    expect(await statusAt({ outbox: ring() })).to.equal(201);
    expect(await statusAt({ idempotency: ring() })).to.equal(500);
  });
});
