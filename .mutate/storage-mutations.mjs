import { of } from './of.mjs';

const banTokens = ['packages/postgres/test/ban-tokens.test.ts'];
const undoneAccess = ['packages/postgres/test/contracts.test.ts', '-g', 'undo, access'];

/** Of statements, migrations and storage adapters. */
export const storageMutations = [
  ...of('packages/postgres/src/zones/ban-tokens.ts', banTokens, [
    ['`zones.sealed_ban_token.${zone}`', "'zones.sealed_ban_token'"],
  ]),
  ...of('packages/postgres/sql/zones/ban-tokens/reseal.sql', banTokens, [[' AND z.ban_token_hash = s.earlier', '']]),
  ...of('packages/postgres/sql/accounts/sessions/has-ended.sql', undoneAccess, [
    ['(ended_at IS NOT NULL OR', '(false OR'],
  ]),
  ...of('packages/postgres/sql/accounts/address-changes/lock-undoing-account.sql', undoneAccess, [[' FOR UPDATE', '']]),
  ...of('packages/postgres/sql/accounts/address-changes/end-added.sql', undoneAccess, [
    ['password_set_at >= ${confirmedAt}::timestamptz', 'password_set_at IS NOT NULL'],
    ['AND revoked_at IS NULL AND created_at >= (SELECT moment FROM since)', 'AND revoked_at IS NULL'],
    [' - make_interval(secs => ${beforeSeconds})', ''],
  ]),
  ...of(
    'packages/postgres/migrations/0005_review.sql',
    ['packages/postgres-operations/test/forgotten-zones.test.ts'],
    [['    UNION ALL SELECT content_bytes FROM rules WHERE zone_id = OLD.id\n', '']],
  ),
  ...of(
    'packages/postgres/migrations/0006_delivery.sql',
    ['packages/postgres/test/contracts.test.ts', '-g', 'whose backend has changed'],
    [['FROM zones AS z JOIN (', 'FROM zone_identities AS z JOIN (']],
  ),
  ...of(
    'packages/postgres/sql/zones/rules/list.sql',
    ['packages/postgres/test/contracts.test.ts', '-g', 'DeletedZones'],
    [
      [' AS r JOIN zones AS z ON z.id = r.zone_id\n', ' AS r\n'],
      [' AS l JOIN zones AS z ON z.id = l.zone_id WHERE', ' AS l WHERE'],
    ],
  ),
];
