-- Rendered from templates/accounts/accounts/profile.sql.eta
WITH caller AS (SELECT ${userId}::uuid AS user_id)
SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.active,
  u.email_verified_at IS NOT NULL AS "emailVerified",
  f.state IS NOT DISTINCT FROM 'enabled' AS "twoFactorEnabled",
  (
    SELECT coalesce(bool_or(o.enforce_two_factor), false)
    FROM memberships AS m JOIN organizations AS o ON o.id = m.organization_id
    WHERE m.user_id = u.id
  ) AS "twoFactorEnforced",
  u.password_hash IS NOT NULL AS "hasPassword",
  ARRAY(SELECT provider FROM provider_identities WHERE user_id = u.id ORDER BY provider COLLATE "C") AS "connectedProviders",
  u.created_at AS "createdAt", u.updated_at AS "updatedAt", u.revision
FROM caller AS c JOIN users AS u ON u.id = c.user_id LEFT JOIN two_factor AS f ON f.user_id = u.id
