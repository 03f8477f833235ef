import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { plainPasswords } from '@zonewright/memory';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { SoftwareAuthenticator } from '../../../packages/passkeys/test/software-authenticator.ts';
import { freePort, type Service, startService } from './readme-support.ts';
import {
  aMailedToken,
  anInvitation,
  aRegisteredUser,
  aRegistration,
  aVerifiedUser,
  aZone,
  invitationsOf,
  join,
  password,
  type Tokens,
  unique,
} from './support/arrange.ts';
import { clientOf, type Reply, statusCounts } from './support/client.ts';
import { freshDatabase } from './support/database.ts';
import { addPasskey, signatureOf } from './support/passkeys.ts';
import { holdLastByte, type RawReply } from './support/raw-http.ts';
import { openService, openTwin } from './support/service.ts';
import { aTwoFactorUser, beginSetup, codeOf, forgetSteps, type TwoFactorUser } from './support/two-factor.ts';
import { promotionsOf } from './support/zone-contents.ts';

const parallel = 20;
/** The storage contracts test each race between units, too; here, a broken one fails in nearly every round. */
const usualRounds = 1;
/** For a race that only one broken round in four shows. */
const manyRounds = 8;

/** One of the simultaneous requests. */
interface RaceRequest {
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The user whose access token it carries. */
  readonly by?: Pick<Tokens, 'token'>;
  readonly idempotencyKey?: string;
}

/** Something that only one of many simultaneous requests may get. */
interface Race {
  readonly request: (index: number) => RaceRequest;
  /** Checks the responses and the database afterwards. */
  readonly check: (replies: readonly RawReply[]) => void | Promise<void>;
}

interface RaceOptions {
  readonly rounds?: number;
  /** Defaults to two instances in this process. */
  readonly instances?: () => readonly Pick<Service, 'url'>[];
}

/** Arranges what all rounds share once: creating users takes the most time. */
type Arrange = () => Promise<() => Race | Promise<Race>>;

describe('Exactly one of twenty simultaneous requests to two instances', function () {
  this.timeout(60_000);
  let dataDir: string;
  let processes: readonly Service[] = [];
  let place: { readonly url: string; readonly database: Database };
  /** Two instances on the same database in this process, with instant password hashing. */
  let quick: readonly Pick<Service, 'url'>[] = [];
  let closeQuick: () => Promise<void>;

  before(async () => {
    dataDir = mkdtempSync(joinPath(tmpdir(), 'zonewright-races-'));
    const { url: databaseUrl, database } = await freshDatabase();
    const shared = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PUBLIC_BASE_URL: 'http://zones.example.com',
      RATE_LIMIT_SCALE: '1000',
      UV_THREADPOOL_SIZE: '8',
      LOG_LEVEL: 'error',
    };
    const ports = [await freePort(), await freePort()];
    processes = await Promise.all(ports.map((PORT) => startService({ ...shared, PORT })));
    place = { url: processes[0]?.url ?? '', database };
    const passwords = plainPasswords();
    const one = await openService({ databaseUrl }, { passwords });
    const other = await openTwin({ ...one, databaseUrl }, {}, { passwords });
    quick = [one, other];
    closeQuick = async () => {
      await other.close();
      await one.close();
    };
  });
  after(async () => {
    await Promise.all([...processes.map((process) => process.stop()), closeQuick?.()]);
    await place?.database.$pool.end();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const hold = ({ method = 'POST', path, body, by, idempotencyKey }: RaceRequest, url: string) => {
    const headers = [
      ...(by === undefined ? [] : [`Authorization: Bearer ${by.token}`]),
      ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
    ];
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return body === undefined
      ? holdLastByte(url, `${method} ${path}`, headers)
      : holdLastByte(url, `${method} ${path}`, [...headers, `Content-Type: ${type}`], JSON.stringify(body));
  };

  /**
   * Last-byte synchronization: the instances have received everything but the last byte of each request, then all last
   * bytes are sent together. Requests alternate between instances.
   */
  const run = async (arrange: Arrange, rounds: number, instances: readonly Pick<Service, 'url'>[]) => {
    const nextRound = await arrange();
    for (let round = 0; round < rounds; round += 1) {
      const { request, check } = await nextRound();
      const held = await Promise.all(
        Array.from({ length: parallel }, (_, index) => hold(request(index), instances[index % 2]?.url ?? '')),
      );
      await check(await Promise.all(held.map((each) => each.finish())));
    }
  };
  const race = (
    what: string,
    arrange: Arrange,
    { rounds = usualRounds, instances = () => processes }: RaceOptions = {},
  ) => it(rounds === 1 ? what : `${what}, in each of ${rounds} rounds`, () => run(arrange, rounds, instances()));

  const count = async (statement: string, values: readonly unknown[]): Promise<number> =>
    (await place.database.one<{ count: number }>(`SELECT count(*)::int AS count FROM ${statement}`, values)).count;
  const winner = (replies: readonly RawReply[]): number => replies.findIndex(({ status }) => status < 300);
  const wonBy = (replies: readonly RawReply[]): unknown => JSON.parse((replies[winner(replies)] as RawReply).body);
  /** One success; everything else must be one of the expected rejections. */
  const expectOne = (replies: readonly RawReply[], success: number, ...refusals: readonly number[]) => {
    const counts = statusCounts(replies);
    expect(counts[success], JSON.stringify(counts)).to.equal(1);
    expect([success, ...refusals], JSON.stringify(counts)).to.include.members(Object.keys(counts).map(Number));
  };

  const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');
  const aToken = () => randomBytes(32).toString('base64url');
  /** Created by SQL, like challenges below: signing in hashes a password. */
  const aRefreshToken = async ({ id }: { readonly id: string }) => {
    const token = aToken();
    const { session } = await place.database.one<{ session: string }>(
      `WITH session AS (
        INSERT INTO sessions (id, user_id, methods, expires_at)
        VALUES (gen_random_uuid(), $1, '{pwd}', now() + interval '90 days') RETURNING id
      )
      INSERT INTO refresh_tokens (hash, session_id, expires_at)
      SELECT $2, id, now() + interval '30 days' FROM session RETURNING session_id AS session`,
      [id, sha256(token)],
    );
    return { token, session };
  };
  /** Replaces the previous challenge. */
  const aChallenge = async ({ id }: { readonly id: string }) => {
    const token = aToken();
    await place.database.none('UPDATE challenges SET spent_at = now() WHERE user_id = $1 AND spent_at IS NULL', [id]);
    await place.database.none(
      `INSERT INTO challenges (hash, user_id, credentials_version, expires_at)
       SELECT $2, id, credentials_version, now() + interval '5 minutes' FROM users WHERE id = $1`,
      [id, sha256(token)],
    );
    return token;
  };

  race('refreshes a session: 200, all others 401', async () => {
    const user = await aVerifiedUser(place);
    return async () => {
      const { token: refreshToken, session } = await aRefreshToken(user);
      return {
        request: () => ({ path: '/api/auth/refresh', body: { refreshToken } }),
        check: async (replies) => {
          expectOne(replies, 200, 401);
          // The token that all requests used, and one successor.
          expect(await count('refresh_tokens WHERE session_id = $1', [session])).to.equal(2);
        },
      };
    };
  });

  race('answers a challenge: 200, all others 401, and one code is spent', async () => {
    const user = await aTwoFactorUser(place);
    const sessions = () => count('sessions WHERE user_id = $1 AND ended_at IS NULL', [user.id]);
    return async () => {
      await forgetSteps(place, user);
      await place.database.none('UPDATE recovery_codes SET used_at = NULL WHERE user_id = $1', [user.id]);
      const challengeToken = await aChallenge(user);
      const codes = [codeOf(user.secret), ...user.recoveryCodes];
      const before = await sessions();
      return {
        request: (index) => ({ path: '/api/auth/2fa', body: { challengeToken, code: codes[index % codes.length] } }),
        check: async (replies) => {
          expectOne(replies, 200, 401);
          expect(await sessions()).to.equal(before + 1);
          const steps = await count('two_factor WHERE user_id = $1 AND last_step IS NOT NULL', [user.id]);
          const used = await count('recovery_codes WHERE user_id = $1 AND used_at IS NOT NULL', [user.id]);
          expect(steps + used).to.equal(1);
        },
      };
    };
  });

  /** The authenticator of a browser that is on the service's site. */
  const anAuthenticator = () =>
    new SoftwareAuthenticator({ origin: 'http://zones.example.com', rpId: 'zones.example.com' });

  race('signs in by one signature of a passkey: 200, all others 401', async () => {
    const user = await aVerifiedUser(place);
    const { authenticator } = await addPasskey(user, anAuthenticator());
    const sessions = () => count('sessions WHERE user_id = $1', [user.id]);
    return async () => {
      const response = await signatureOf(place.url, authenticator);
      const before = await sessions();
      return {
        request: () => ({ path: '/api/auth/passkey', body: { response } }),
        check: async (replies) => {
          expectOne(replies, 200, 401);
          expect(await sessions()).to.equal(before + 1);
        },
      };
    };
  });

  race('deletes one of the last two credentials: 204, all others 404 or 409', async () => {
    const user = await aVerifiedUser(place);
    await place.database.none('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
    await addPasskey(user, anAuthenticator());
    return async () => {
      await addPasskey(user, anAuthenticator());
      const ids = await place.database.many<{ id: string }>('SELECT id FROM passkeys WHERE user_id = $1', [user.id]);
      return {
        // Both instances get requests for both passkeys.
        request: (index) => ({
          method: 'DELETE',
          path: `/api/users/me/passkeys/${ids[Math.floor(index / 2) % 2]?.id}`,
          by: user,
        }),
        check: async (replies) => {
          expectOne(replies, 204, 404, 409);
          expect(await count('passkeys WHERE user_id = $1', [user.id])).to.equal(1);
        },
      };
    };
  });

  race('uses a time step, whatever it is used for: one success, all others refused', async () => {
    const user = await aTwoFactorUser(place);
    return async () => {
      await forgetSteps(place, user);
      const challengeToken = await aChallenge(user);
      const code = codeOf(user.secret);
      return {
        request: (index) =>
          index % 4 === 0
            ? { path: '/api/auth/2fa', body: { challengeToken, code } }
            : { path: '/api/2fa/recovery-codes', body: { code }, by: user },
        check: (replies) => expectOne(replies, 200, 401, 422),
      };
    };
  });

  race(
    'confirms a setup and gets the only set of recovery codes: 200, all others 409',
    async () => {
      const user = await aVerifiedUser(place);
      return async () => {
        await place.database.none('DELETE FROM two_factor WHERE user_id = $1', [user.id]);
        await place.database.none('DELETE FROM recovery_codes WHERE user_id = $1', [user.id]);
        const { secret } = await beginSetup(user);
        const code = codeOf(secret);
        return {
          request: () => ({ path: '/api/2fa/confirm', body: { code }, by: user }),
          check: async (replies) => {
            expectOne(replies, 200, 409);
            expect(await count('recovery_codes WHERE user_id = $1', [user.id])).to.equal(10);
          },
        };
      };
    },
    { rounds: manyRounds },
  );

  race('spends a recovery code, whatever it is used for: one success, all others refused', async () => {
    const user = await aTwoFactorUser(place);
    let { recoveryCodes } = user;
    return async () => {
      await place.database.none('UPDATE recovery_codes SET used_at = NULL WHERE user_id = $1', [user.id]);
      const challengeToken = await aChallenge(user);
      const [code] = recoveryCodes;
      return {
        request: (index) =>
          index % 4 === 0
            ? { path: '/api/2fa/recovery-codes', body: { code }, by: user }
            : { path: '/api/auth/2fa', body: { challengeToken, code } },
        check: async (replies) => {
          expectOne(replies, 200, 401, 422);
          const { recoveryCodes: renewed } = wonBy(replies) as Partial<Pick<TwoFactorUser, 'recoveryCodes'>>;
          const left = await count('recovery_codes WHERE user_id = $1 AND used_at IS NULL', [user.id]);
          expect(left).to.equal(renewed === undefined ? 9 : 10);
          recoveryCodes = renewed ?? recoveryCodes;
        },
      };
    };
  });

  race('redeems a verification token: 200, all others 400', async () => {
    const user = await aVerifiedUser(place);
    return async () => {
      const token = await aMailedToken(place, user, 'verify-email');
      return {
        request: () => ({ path: '/api/auth/verify-email', body: { token } }),
        check: (replies) => expectOne(replies, 200, 400),
      };
    };
  });

  race(
    'redeems a reset token: 200, all others 400, and its password applies',
    async () => {
      const user = await aVerifiedUser(place);
      return async () => {
        const token = await aMailedToken(place, user, 'reset-password');
        const passwords = Array.from({ length: parallel }, () => `New-Battery-${unique()}`);
        return {
          request: (index) => ({ path: '/api/auth/reset-password', body: { token, password: passwords[index] } }),
          check: async (replies) => {
            expectOne(replies, 200, 400);
            const login = { email: user.email, password: passwords[winner(replies)] };
            expect((await clientOf(quick[0]?.url ?? '').post('/api/auth/login', login)).status).to.equal(200);
          },
        };
      };
    },
    { instances: () => quick },
  );

  race(
    'registers an address: 201, all others 409',
    async () => () => {
      const { email } = aRegistration();
      return {
        request: (index) => ({
          path: '/api/auth/register',
          body: { ...aRegistration(), email: index % 2 === 0 ? email : email.toUpperCase(), password },
        }),
        check: async (replies) => {
          expectOne(replies, 201, 409);
          expect(await count('users WHERE email_key = $1', [email])).to.equal(1);
          const { id } = wonBy(replies) as { readonly id: string };
          expect(await count('memberships WHERE user_id = $1', [id])).to.equal(1);
        },
      };
    },
    { instances: () => quick },
  );

  race('accepts an invitation: 200, all others 400', async () => {
    const [owner, guest] = [await aVerifiedUser(place), await aVerifiedUser(place)];
    return async () => {
      await place.database.none('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [
        guest.id,
        owner.organization,
      ]);
      const { id } = await anInvitation(owner, guest);
      const token = aToken();
      await place.database.none('UPDATE invitations SET hash = $2 WHERE id = $1', [id, sha256(token)]);
      return {
        request: () => ({ path: '/api/invitations/accept', body: { token }, by: guest }),
        check: async (replies) => {
          expectOne(replies, 200, 400);
          expect(await count('memberships WHERE organization_id = $1', [owner.organization])).to.equal(2);
        },
      };
    };
  });

  race('invites an address: 201, all others 409', async () => {
    const owner = await aVerifiedUser(place);
    return () => {
      const body = { email: `guest${unique()}@example.com`, role: 'viewer' };
      return {
        request: () => ({ path: invitationsOf(owner), body, by: owner }),
        check: (replies) => expectOne(replies, 201, 409),
      };
    };
  });

  race('promotes a zone as one change set: 201, all others 200', async () => {
    const owner = await aVerifiedUser(place);
    const dev = await aZone(owner, { tag: 'dev', zone_settings: { minifyHtml: true } });
    const prod = await aZone(owner);
    return () => {
      const body = { from: dev.id, title: `promotion-${unique()}` };
      return {
        request: () => ({ path: promotionsOf(prod), body, by: owner }),
        check: async (replies) => {
          expectOne(replies, 201, 200);
          expect(new Set(replies.map((reply) => (JSON.parse(reply.body) as { id: string }).id)).size).to.equal(1);
          expect(await count('change_sets WHERE title = $1', [body.title])).to.equal(1);
        },
      };
    };
  });

  race('creates an API token of a name: 201, all others 422', async () => {
    const owner = await aVerifiedUser(place);
    return () => {
      const name = `token-${unique()}`;
      return {
        request: () => ({ path: '/api/api-tokens', body: { name }, by: owner }),
        check: (replies) => expectOne(replies, 201, 422),
      };
    };
  });

  race('remains owner when all owners leave or step down: 409 for one, success for all others', async () => {
    const owners = await Promise.all(Array.from({ length: parallel }, () => aVerifiedUser(place)));
    const [founder, ...others] = owners as [(typeof owners)[0], ...typeof owners];
    return async () => {
      const reply: Reply = await founder.post('/api/organizations', { name: `Team ${unique()}` });
      const { id: organization } = reply.json() as { readonly id: number };
      await Promise.all(others.map((owner) => join(place, owner, organization, 'owner')));
      return {
        request: (index) => {
          const by = owners[index] ?? founder;
          const path = `/api/organizations/${organization}/members/${by.id}`;
          return index % 3 === 0
            ? { method: 'PATCH', path, body: { role: 'viewer' }, by }
            : { method: 'DELETE', path, by };
        },
        check: async (replies) => {
          const { 200: demoted = 0, 204: left = 0, 409: refused = 0 } = statusCounts(replies);
          expect([demoted + left, refused], JSON.stringify(statusCounts(replies))).to.deep.equal([parallel - 1, 1]);
          expect(await count("memberships WHERE organization_id = $1 AND role = 'owner'", [organization])).to.equal(1);
        },
      };
    };
  });

  for (const [what, table] of [
    ['a zone', 'zones'],
    ['an organization, which has no unique name,', 'organizations'],
  ] as const) {
    race(
      `creates ${what} with one Idempotency-Key: 201, which all others replay`,
      async () => {
        const user = await aVerifiedUser(place);
        return () => {
          const [name, idempotencyKey] = [`${table}-${unique()}`, randomUUID()];
          return {
            request: () => ({ path: `/api/${table}`, body: { name }, by: user, idempotencyKey }),
            check: async (replies) => {
              expect(statusCounts(replies), replies[0]?.body).to.deep.equal({ 201: parallel });
              const replays = replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
              expect(replays).to.have.lengthOf(parallel - 1);
              expect(new Set(replies.map(({ headers, body }) => `${headers['location']} ${body}`)).size).to.equal(1);
              expect(await count(`${table} WHERE name = $1`, [name])).to.equal(1);
            },
          };
        };
      },
      { rounds: 2 },
    );
  }

  it('verifies an address for good: the account can sign in on both processes', async () => {
    const user = await aRegisteredUser(place);
    const token = await aMailedToken(place, user, 'verify-email');
    const [first, second] = processes.map(({ url }) => clientOf(url));
    expect((await first?.post('/api/auth/verify-email', { token }))?.status).to.equal(200);
    const login = { email: user.email, password };
    expect((await second?.post('/api/auth/login', login))?.status).to.equal(200);
  });
});
