-- An ongoing verification locks the account: it is skipped, or seen as verified. Accounts that signed in were verified
-- once, and only embedding services can have given zones to the others. An organization is deleted with its only
-- member.
WITH own AS MATERIALIZED (
  SELECT u.id FROM users AS u
  WHERE u.email_verified_at IS NULL AND u.created_at < now() - make_interval(secs => ${lifetimeSeconds})
    AND NOT EXISTS (SELECT FROM sign_in_networks WHERE user_id = u.id)
    AND NOT EXISTS (SELECT FROM sessions WHERE user_id = u.id)
    AND NOT EXISTS (
      SELECT FROM memberships AS m JOIN zones AS z ON z.organization_id = m.organization_id WHERE m.user_id = u.id
    )
  ORDER BY u.created_at LIMIT ${batch} FOR UPDATE SKIP LOCKED
), organizations_of_no_one_else AS (
  DELETE FROM organizations AS o USING memberships AS m
  WHERE m.organization_id = o.id AND m.user_id IN (SELECT id FROM own) AND NOT EXISTS (
    SELECT FROM memberships AS other WHERE other.organization_id = o.id AND other.user_id <> m.user_id
  )
)
DELETE FROM users WHERE id IN (SELECT id FROM own)
RETURNING id
