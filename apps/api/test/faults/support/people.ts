import { randomUUID } from 'node:crypto';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { aRegisteredUser, password, unique } from '../../support/arrange.ts';
import type { Client } from '../../support/client.ts';
import { codeOf } from '../../support/two-factor.ts';

/** The API and its database. */
export interface Place {
  readonly url: string;
  readonly database: Database;
}

/** A user with a verified account and a personal organization. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly organization: number;
}

/** Shared by all users, because hashing is slow. */
const templates = new WeakMap<Database, Promise<{ readonly id: string }>>();

/** A user as after registration, created without hashing a password. */
export async function aPerson(place: Place): Promise<Person> {
  const { database } = place;
  const template = templates.get(database) ?? aRegisteredUser(place);
  templates.set(database, template);
  const { id: model } = await template;
  const [id, email] = [randomUUID(), `person${unique()}@example.com`];
  const { organization } = await database.one<{ organization: number }>(
    `WITH person AS (
      INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, email_verified_at)
      SELECT $[id], $[email], $[email], password_hash, first_name, last_name, now() FROM users WHERE id = $[model]
      RETURNING id
    ), organization AS (
      INSERT INTO organizations (name, name_key) VALUES ($[email], $[email]) RETURNING id
    )
    INSERT INTO memberships (organization_id, user_id, role)
    SELECT organization.id, person.id, 'owner' FROM organization, person RETURNING organization_id AS organization`,
    { id, email, model },
  );
  return { id, email, password, organization };
}

/** Enables two-factor authentication. Uses up the current time step, but not the next. */
export async function enableTwoFactor(user: Client): Promise<{
  readonly secret: string;
  readonly otpauthUri: string;
  readonly qrDataUri: string;
  readonly recoveryCodes: readonly string[];
  readonly code: string;
}> {
  const setup = await user.post('/api/2fa/setup');
  expect(setup.status, setup.text).to.equal(200);
  const data = setup.json() as { readonly secret: string; readonly otpauthUri: string; readonly qrDataUri: string };
  const code = codeOf(data.secret);
  const confirmed = await user.post('/api/2fa/confirm', { code });
  expect(confirmed.status, confirmed.text).to.equal(200);
  return { ...data, ...(confirmed.json() as { readonly recoveryCodes: readonly string[] }), code };
}

/** Invariants of the stored data whenever no operation is in progress: no row needs repair. */
const invariants: Readonly<Record<string, string>> = {
  'a live session has exactly one token that can be used': `SELECT s.id FROM sessions s LEFT JOIN refresh_tokens t
    ON t.session_id = s.id AND t.used_at IS NULL WHERE s.ended_at IS NULL GROUP BY s.id HAVING count(t.hash) <> 1`,
  'an account has an organization': `SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM memberships)`,
  'an organization has an owner': `SELECT id FROM organizations
    WHERE id NOT IN (SELECT organization_id FROM memberships WHERE role = 'owner')`,
  'a mail is either due or done': `SELECT id FROM outbox_mails WHERE (done_at IS NULL) <> (payload IS NOT NULL)`,
  'at most one token of a purpose can be used': `SELECT user_id FROM mailed_tokens WHERE used_at IS NULL
    GROUP BY user_id, purpose HAVING count(*) > 1`,
  'at most one challenge can be answered': `SELECT user_id FROM challenges WHERE spent_at IS NULL
    GROUP BY user_id HAVING count(*) > 1`,
  'a list that has rules has a revision': `SELECT r.id FROM rules r LEFT JOIN rule_lists l ON l.zone_id = r.zone_id
    AND l.kind = r.kind WHERE l.zone_id IS NULL`,
  'history has every revision of a zone': `SELECT z.id FROM zones z LEFT JOIN zone_revisions r ON r.zone_id = z.id
    GROUP BY z.id HAVING count(r.number) <> z.revision OR min(r.number) <> 1 OR max(r.number) <> z.revision`,
  'two-factor authentication comes with recovery codes': `SELECT user_id FROM two_factor WHERE state = 'enabled'
    AND user_id NOT IN (SELECT user_id FROM recovery_codes)`,
};

/** Requires all invariants of the stored data. */
export async function expectConsistentDatabase(database: Database): Promise<void> {
  for (const [rule, violations] of Object.entries(invariants)) {
    expect(await database.any(violations), rule).to.deep.equal([]);
  }
}
