-- Ends what has been added to a locked account. It changes the profile, so it raises its revision.
WITH since AS (
  SELECT ${since}::timestamptz - make_interval(secs => ${beforeSeconds}) AS moment
), account AS (
  UPDATE users AS u SET password_hash = CASE WHEN p.is_new THEN NULL ELSE u.password_hash END, updated_at = clock_timestamp(),
    revision = u.revision + 1
  FROM (SELECT id, coalesce(password_set_at >= ${confirmedAt}::timestamptz, false) AS is_new FROM users WHERE id = ${user}) AS p
  WHERE u.id = p.id
  RETURNING p.is_new
), passkey AS (
  DELETE FROM passkeys WHERE user_id = ${user} AND created_at >= (SELECT moment FROM since)
  RETURNING id
), identity AS (
  DELETE FROM provider_identities WHERE user_id = ${user} AND created_at >= (SELECT moment FROM since)
  RETURNING id, provider
), token AS (
  UPDATE api_tokens SET revoked_at = now()
  WHERE user_id = ${user} AND revoked_at IS NULL AND created_at >= (SELECT moment FROM since)
  RETURNING id
), authenticator AS (
  DELETE FROM two_factor WHERE user_id = ${user} AND created_at >= (SELECT moment FROM since)
  RETURNING state
), codes AS (
  DELETE FROM recovery_codes WHERE user_id = ${user} AND created_at >= (SELECT moment FROM since)
)
SELECT 'passkey' AS "kind", id, NULL AS "provider" FROM passkey
UNION ALL SELECT 'identity', id, provider FROM identity
UNION ALL SELECT 'apiToken', id, NULL FROM token
UNION ALL SELECT 'authenticator', NULL, NULL FROM authenticator WHERE state = 'enabled'
UNION ALL SELECT 'password', NULL, NULL FROM account WHERE is_new
