import { expect } from 'chai';
import { type Database, openDatabase } from '../src/index.ts';
import { migratedDatabase } from './support/database.ts';

/** What a version that knows no permissions writes. */
const arrangement = `
  INSERT INTO users (id, email, email_key, first_name, last_name, email_verified_at)
  VALUES (gen_random_uuid(), 'a', 'a', 'A', 'B', now());
  INSERT INTO api_tokens (id, user_id, hash, name, name_key, prefix, read_only, organizations)
  SELECT gen_random_uuid(), id, 'hash', 'name', 'name', 'zw_12345', false, '{}' FROM users;
`;

describe('an API token from before there were permissions', () => {
  let database: Database;

  before(async () => {
    database = openDatabase({ url: await migratedDatabase() });
    await database.none(arrangement);
  });
  after(() => database?.$pool.end());

  it('may do what its user may, anywhere', async () => {
    const stored = await database.one('SELECT permissions, zones, networks FROM api_tokens');
    expect(stored).to.deep.equal({ permissions: ['admin'], zones: null, networks: null });
  });
});
