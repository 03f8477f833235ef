WITH used AS (
  UPDATE provider_identities SET last_used_at = now() WHERE issuer = ${issuer} AND subject = ${subject}
  RETURNING user_id, provider
)
SELECT u.id AS "userId", u.email, u.password_hash AS "passwordHash", u.credentials_version AS "credentialsVersion",
  u.email_verified_at IS NOT NULL AS "emailVerified", NOT u.active AS "blocked",
  active AND email_verified_at IS NOT NULL AS "inGoodStanding",
  f.state IS NOT DISTINCT FROM 'enabled' AS "twoFactorEnabled",
  (SELECT count(*)::int FROM passkeys WHERE user_id = u.id) AS "passkeys",
  (SELECT count(*)::int FROM provider_identities WHERE user_id = u.id) AS "providers", i.provider
FROM users AS u LEFT JOIN two_factor AS f ON f.user_id = u.id
JOIN used AS i ON i.user_id = u.id
