import { expect } from 'chai';
import { aVerifiedUser, sessionOf } from '../support/arrange.ts';
import { doomedService } from './support/doomed-service.ts';

/** The everyday part of `crash.long.ts`. */
describe('kill -9 between two statements', function () {
  this.timeout(120_000);
  const { place, post, count, liveSessions, killAtEachCut } = doomedService();

  it('keeps either the old refresh token or its successor usable', () =>
    killAtEachCut({
      arrange: () => aVerifiedUser(place()),
      request: ({ refreshToken }) => post('/api/auth/refresh', { refreshToken }),
      succeeds: 200,
      check: async ({ token, refreshToken, id }, commits) => {
        const tokens = 'SELECT count(*)::int FROM refresh_tokens WHERE session_id = $1';
        // Sign-in created one.
        expect(await count(tokens, [sessionOf(token)])).to.equal(commits + 2);
        expect(await count(`${tokens} AND used_at IS NULL`, [sessionOf(token)])).to.equal(1);
        expect((await post('/api/auth/refresh', { refreshToken })).status).to.equal(commits === 0 ? 200 : 401);
        expect(await liveSessions(id)).to.equal(commits === 0 ? 1 : 0);
      },
    }));
});
