-- Encrypted values start with their format version and key name, hashes of recovery codes with the key name.
SELECT
  (SELECT count(*)::int FROM two_factor WHERE starts_with(secret, 'v1.' || ${kid} || '.')) AS "totp",
  (SELECT count(*)::int FROM recovery_codes WHERE used_at IS NULL AND starts_with(hash, ${kid} || '.')) AS "recovery",
  (SELECT count(*)::int FROM outbox_mails WHERE starts_with(payload, 'v1.' || ${kid} || '.')) AS "outbox",
  (SELECT count(*)::int FROM zones WHERE starts_with(sealed_ban_token, 'v1.' || ${kid} || '.')) AS "banTokens",
  (SELECT count(*)::int FROM idempotency_keys WHERE starts_with(answer, 'v1.' || ${kid} || '.')) AS "idempotency"
