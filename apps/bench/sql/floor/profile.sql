SELECT id, email, first_name AS "firstName", last_name AS "lastName", active,
  email_verified_at IS NOT NULL AS "emailVerified", password_hash IS NOT NULL AS "hasPassword",
  EXISTS (SELECT 1 FROM two_factor WHERE user_id = users.id AND state = 'enabled') AS "twoFactorEnabled",
  EXISTS (
    SELECT 1 FROM memberships AS m JOIN organizations AS o ON o.id = m.organization_id
    WHERE m.user_id = users.id AND o.enforce_two_factor
  ) AS "twoFactorEnforced",
  ARRAY(SELECT provider FROM provider_identities WHERE user_id = users.id ORDER BY provider) AS "connectedProviders",
  created_at AS "createdAt", updated_at AS "updatedAt"
FROM users WHERE id = $1
