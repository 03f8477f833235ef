-- A change of the profile, so it raises its revision.
WITH unlinked AS (
  DELETE FROM provider_identities WHERE user_id = ${user} AND id = ${id} RETURNING user_id
)
UPDATE users AS u SET updated_at = clock_timestamp(), revision = revision + 1
FROM unlinked WHERE u.id = unlinked.user_id
RETURNING u.id
