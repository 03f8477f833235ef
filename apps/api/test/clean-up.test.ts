import { until } from './faults/support/until.ts';
import { aVerifiedUser } from './support/arrange.ts';
import { openService, openTwin, type TestService } from './support/service.ts';

describe('The service in the background', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    const sent = new Set<string | undefined>();
    service = await openService({}, { onStatement: ({ name }) => void sent.add(name) });
    // An instance leaves out what another one is deleting: the first round of this one has to be over.
    await until(() => sent.has('clean-up/audit-log-months.sql'));
  });
  after(() => service.close());

  it('deletes expired rows of accounts and rate limits as soon as an instance starts', async () => {
    const { id } = await aVerifiedUser(service);
    const { database } = service;
    await database.none(
      `INSERT INTO challenges (hash, user_id, credentials_version, expires_at, spent_at)
       VALUES ('old', $1, 1, now() - interval '2 days', now()), ('young', $1, 1, now() + interval '1 hour', now())`,
      [id],
    );
    await database.none("INSERT INTO rate_limits (key, points, expire) VALUES ('old', 1, 0)");
    const twin = await openTwin(service);
    const left = `SELECT 1 FROM challenges WHERE hash = 'old' UNION ALL SELECT 1 FROM rate_limits WHERE key = 'old'`;
    try {
      await until(async () => (await database.any(left)).length === 0);
    } finally {
      await twin.close();
    }
    await database.one("SELECT 1 FROM challenges WHERE hash = 'young'");
  });
});
