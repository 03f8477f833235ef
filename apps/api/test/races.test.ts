import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { freePort, type Service, startService } from './readme-support.ts';
import {
  aMailedToken,
  anInvitation,
  aRegisteredUser,
  aRegistration,
  aVerifiedUser,
  invitationsOf,
  join,
  password,
  type User,
  unique,
} from './support/arrange.ts';
import { type Client, clientOf, type Reply, statusCounts } from './support/client.ts';
import { freshDatabase } from './support/database.ts';
import { aChallenge, aTwoFactorUser, beginSetup, codeOf } from './support/two-factor.ts';

const parallel = 20;

/** One thing that only one of many simultaneous requests may get. */
interface Race {
  /** One of the simultaneous requests; clients of both processes take turns. */
  readonly send: (client: Client, index: number) => Promise<Reply>;
  /** What the answers and the database must look like afterwards. */
  readonly check: (replies: readonly Reply[]) => void | Promise<void>;
}

describe('Exactly one of twenty simultaneous requests to two processes', function () {
  this.timeout(60_000);
  let dataDir: string;
  let processes: readonly Service[] = [];
  let place: { readonly url: string; readonly database: Database };

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
  });
  after(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await place?.database.$pool.end();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const bearer = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` });

  const run = async (rounds: number, arrange: () => Promise<Race>) => {
    for (let round = 0; round < rounds; round += 1) {
      const { send, check } = await arrange();
      const clients = processes.map(({ url }) => clientOf(url));
      const sent = Array.from({ length: parallel }, (_, index) => send(clients[index % 2] as Client, index));
      await check(await Promise.all(sent));
    }
  };
  const race = (what: string, rounds: number, arrange: () => Promise<Race>) =>
    it(`${what}, in each of ${rounds} rounds`, () => run(rounds, arrange));

  const count = async (statement: string, values: readonly unknown[]): Promise<number> =>
    (await place.database.one<{ count: number }>(`SELECT count(*)::int AS count FROM ${statement}`, values)).count;
  const winner = (replies: readonly Reply[]): number => replies.findIndex(({ status }) => status < 300);
  /** One success, and nothing but expected refusals. */
  const expectOne = (replies: readonly Reply[], success: number, ...refusals: readonly number[]) => {
    const counts = statusCounts(replies);
    expect(counts[success], JSON.stringify(counts)).to.equal(1);
    expect([success, ...refusals], JSON.stringify(counts)).to.include.members(Object.keys(counts).map(Number));
  };

  race('refreshes a session: 200, all others 401', 10, async () => {
    const { refreshToken, id } = await aVerifiedUser(place);
    return {
      send: (client) => client.post('/api/auth/refresh', { refreshToken }),
      check: async (replies) => {
        expectOne(replies, 200, 401);
        // The token of the arrangement, the one all used, and one successor.
        expect(
          await count('refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE user_id = $1', [id]),
        ).to.equal(3);
      },
    };
  });

  race('answers a challenge: 200, all others 401, and one code is spent', 10, async () => {
    const user = await aTwoFactorUser(place);
    const challengeToken = await aChallenge(place, user);
    const codes = [codeOf(user.secret), ...user.recoveryCodes];
    return {
      send: (client, index) => client.post('/api/auth/2fa', { challengeToken, code: codes[index % codes.length] }),
      check: async (replies) => {
        expectOne(replies, 200, 401);
        expect(await count('sessions WHERE user_id = $1 AND ended_at IS NULL', [user.id])).to.equal(2);
        const steps = await count('two_factor WHERE user_id = $1 AND last_step IS NOT NULL', [user.id]);
        const used = await count('recovery_codes WHERE user_id = $1 AND used_at IS NOT NULL', [user.id]);
        expect(steps + used).to.equal(1);
      },
    };
  });

  race('uses a time step, whatever it is used for: one success, all others refused', 10, async () => {
    const user = await aTwoFactorUser(place);
    const challengeToken = await aChallenge(place, user);
    const code = codeOf(user.secret);
    return {
      send: (client, index) =>
        index % 4 === 0
          ? client.post('/api/auth/2fa', { challengeToken, code })
          : client.post('/api/2fa/recovery-codes', { code }, bearer(user)),
      check: (replies) => expectOne(replies, 200, 401, 422),
    };
  });

  race('confirms a setup and gets the only set of recovery codes: 200, all others 409', 10, async () => {
    const user = await aVerifiedUser(place);
    const { secret } = await beginSetup(user);
    const code = codeOf(secret);
    return {
      send: (client) => client.post('/api/2fa/confirm', { code }, bearer(user)),
      check: async (replies) => {
        expectOne(replies, 200, 409);
        expect(await count('recovery_codes WHERE user_id = $1', [user.id])).to.equal(10);
      },
    };
  });

  race('spends a recovery code: 200, all others 422', 10, async () => {
    const user = await aTwoFactorUser(place);
    const [code] = user.recoveryCodes;
    return {
      send: (client) => client.post('/api/2fa/recovery-codes', { code }, bearer(user)),
      check: async (replies) => {
        expectOne(replies, 200, 422);
        expect(await count('recovery_codes WHERE user_id = $1 AND used_at IS NULL', [user.id])).to.equal(10);
      },
    };
  });

  race('redeems a verification token: 200, all others 400', 10, async () => {
    const token = await aMailedToken(place, await aVerifiedUser(place), 'verify-email');
    return {
      send: (client) => client.post('/api/auth/verify-email', { token }),
      check: (replies) => expectOne(replies, 200, 400),
    };
  });

  race('redeems a reset token: 200, all others 400, and its password is the one that counts', 5, async () => {
    const user = await aVerifiedUser(place);
    const token = await aMailedToken(place, user, 'reset-password');
    const passwordOf = (index: number) => `New-Battery-${index}`;
    return {
      send: (client, index) => client.post('/api/auth/reset-password', { token, password: passwordOf(index) }),
      check: async (replies) => {
        expectOne(replies, 200, 400);
        const login = { email: user.email, password: passwordOf(winner(replies)) };
        expect((await clientOf(place.url).post('/api/auth/login', login)).status).to.equal(200);
      },
    };
  });

  race('registers an address: 201, all others 409', 5, async () => {
    const { email } = aRegistration();
    return {
      send: (client, index) =>
        client.post('/api/auth/register', {
          ...aRegistration(),
          email: index % 2 === 0 ? email : email.toUpperCase(),
          password,
        }),
      check: async (replies) => {
        expectOne(replies, 201, 409);
        expect(await count('users WHERE email_key = $1', [email])).to.equal(1);
        const { id } = (replies[winner(replies)] as Reply).json() as { readonly id: string };
        expect(await count('memberships WHERE user_id = $1', [id])).to.equal(1);
      },
    };
  });

  race('accepts an invitation: 200, all others 400', 10, async () => {
    const [owner, guest] = [await aVerifiedUser(place), await aVerifiedUser(place)];
    const { id } = await anInvitation(owner, guest);
    const token = randomBytes(32).toString('base64url');
    const hash = createHash('sha256').update(token).digest('hex');
    await place.database.none('UPDATE invitations SET hash = $2 WHERE id = $1', [id, hash]);
    return {
      send: (client) => client.post('/api/invitations/accept', { token }, bearer(guest)),
      check: async (replies) => {
        expectOne(replies, 200, 400);
        expect(await count('memberships WHERE organization_id = $1', [owner.organization])).to.equal(2);
      },
    };
  });

  race('invites an address: 201, all others 409', 10, async () => {
    const owner = await aVerifiedUser(place);
    const body = { email: `guest${unique()}@example.com`, role: 'viewer' };
    return {
      send: (client) => client.post(invitationsOf(owner), body, bearer(owner)),
      check: (replies) => expectOne(replies, 201, 409),
    };
  });

  race('creates an API token of a name: 201, all others 422', 10, async () => {
    const owner = await aVerifiedUser(place);
    return {
      send: (client) => client.post('/api/api-tokens', { name: 'the one' }, bearer(owner)),
      check: (replies) => expectOne(replies, 201, 422),
    };
  });

  describe('stays an owner', () => {
    let owners: readonly User[];
    before(async () => {
      owners = await Promise.all(Array.from({ length: parallel }, () => aVerifiedUser(place)));
    });

    race('when all owners leave or step down: 409 to one, success to all others', 10, async () => {
      const reply = await clientOf(place.url).post('/api/organizations', { name: 'Team' }, bearer(owners[0] as User));
      const { id: organization } = reply.json() as { readonly id: number };
      await Promise.all(owners.slice(1).map((owner) => join(place, owner, organization, 'owner')));
      const pathOf = ({ id }: User) => `/api/organizations/${organization}/members/${id}`;
      return {
        send: (client, index) => {
          const owner = owners[index] as User;
          return index % 3 === 0
            ? client.patch(pathOf(owner), { role: 'viewer' }, bearer(owner))
            : client.delete(pathOf(owner), bearer(owner));
        },
        check: async (replies) => {
          const { 200: demoted = 0, 204: left = 0, 409: refused = 0 } = statusCounts(replies);
          expect([demoted + left, refused], JSON.stringify(statusCounts(replies))).to.deep.equal([parallel - 1, 1]);
          expect(await count("memberships WHERE organization_id = $1 AND role = 'owner'", [organization])).to.equal(1);
        },
      };
    });
  });

  it('verifies an address for good: the account can sign in at both processes', async () => {
    const user = await aRegisteredUser(place);
    const token = await aMailedToken(place, user, 'verify-email');
    const [first, second] = processes.map(({ url }) => clientOf(url));
    expect((await first?.post('/api/auth/verify-email', { token }))?.status).to.equal(200);
    const login = { email: user.email, password };
    expect((await second?.post('/api/auth/login', login))?.status).to.equal(200);
  });
});
