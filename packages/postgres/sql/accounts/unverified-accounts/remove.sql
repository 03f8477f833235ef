-- A verification under way locks the account: it is waited for, and then seen. An organization is deleted with its only
-- member.
WITH own AS MATERIALIZED (
  SELECT id FROM users WHERE id = ${id} AND email_verified_at IS NULL AND active FOR UPDATE
), organizations_of_no_one_else AS (
  DELETE FROM organizations AS o USING memberships AS m
  WHERE m.organization_id = o.id AND m.user_id IN (SELECT id FROM own) AND NOT EXISTS (
    SELECT FROM memberships AS other WHERE other.organization_id = o.id AND other.user_id <> m.user_id
  )
)
DELETE FROM users WHERE id IN (SELECT id FROM own)
