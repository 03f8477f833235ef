import { of } from './of.mjs';

const banTokens = ['packages/postgres/test/ban-tokens.test.ts'];
const undoneAccess = ['packages/postgres/test/contracts.test.ts', '-g', 'undo, access'];

/** Of statements, migrations and storage adapters. */
export const storageMutations = [
  ...of('packages/postgres/src/zones/zones/ban-tokens.ts', banTokens, [
    ['`zones.sealed_ban_token.${zone}`', "'zones.sealed_ban_token'"],
  ]),
  ...of('packages/postgres/sql/zones/zones/ban-tokens/seal.sql', banTokens, [[' AND z.ban_token = s.earlier', '']]),
  ...of('packages/postgres/sql/accounts/accounts/sessions/has-ended.sql', undoneAccess, [
    ['(ended_at IS NOT NULL OR', '(false OR'],
  ]),
  ...of('packages/postgres/sql/accounts/accounts/address-changes/lock-undoing-account.sql', undoneAccess, [
    [' FOR UPDATE', ''],
  ]),
  ...of('packages/postgres/sql/accounts/accounts/address-changes/end-added.sql', undoneAccess, [
    ['password_set_at >= ${confirmedAt}::timestamptz', 'password_set_at IS NOT NULL'],
    ['AND revoked_at IS NULL AND created_at >= (SELECT moment FROM since)', 'AND revoked_at IS NULL'],
    [' - make_interval(secs => ${beforeSeconds})', ''],
  ]),
  ...of(
    'packages/postgres/migrations/0093_zone_deletions.sql',
    ['packages/postgres-operations/test/migrate-deleted-zones.test.ts'],
    [
      ['    UNION ALL SELECT content_bytes FROM rules WHERE zone_id = OLD.id\n', ''],
      ['FROM zones AS z JOIN (', 'FROM zone_identities AS z JOIN ('],
      ['  DELETE FROM rules WHERE zone_id = OLD.id;\n', ''],
    ],
  ),
  ...of(
    'packages/postgres/sql/zones/zones/rules/list.sql',
    ['packages/postgres/test/contracts.test.ts', '-g', 'DeletedZones'],
    [
      [' AS r JOIN zones AS z ON z.id = r.zone_id\n', ' AS r\n'],
      [' AS l JOIN zones AS z ON z.id = l.zone_id WHERE', ' AS l WHERE'],
    ],
  ),
];
