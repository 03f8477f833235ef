WITH caller AS (
  /*caller*/
)
SELECT /*columns*/
  u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.active,
  u.email_verified_at IS NOT NULL AS "emailVerified",
  EXISTS (SELECT 1 FROM two_factor WHERE user_id = u.id AND state = 'enabled') AS "twoFactorEnabled",
  EXISTS (
    SELECT 1 FROM memberships AS m JOIN organizations AS o ON o.id = m.organization_id
    WHERE m.user_id = u.id AND o.enforce_two_factor
  ) AS "twoFactorEnforced",
  u.password_hash IS NOT NULL AS "hasPassword",
  ARRAY(SELECT provider FROM provider_identities WHERE user_id = u.id ORDER BY provider) AS "connectedProviders",
  u.created_at AS "createdAt", u.updated_at AS "updatedAt", u.revision
FROM caller AS a JOIN users AS u ON u.id = a.user_id
