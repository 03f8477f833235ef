SELECT id, email, first_name AS "firstName", last_name AS "lastName", active,
  email_verified_at IS NOT NULL AS "emailVerified", password_hash IS NOT NULL AS "hasPassword",
  ARRAY(SELECT provider FROM provider_identities WHERE user_id = users.id ORDER BY provider) AS "connectedProviders",
  created_at AS "createdAt", updated_at AS "updatedAt", revision
FROM users WHERE id = ${id}
