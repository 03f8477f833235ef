-- Foreign keys remove what belongs to the account, and leave what others have without an author.
WITH invited AS (
  DELETE FROM invitations WHERE email_key = (SELECT email_key FROM users WHERE id = ${user})
), sent AS (
  UPDATE invitations SET status = 'revoked'
  WHERE invited_by = ${user} AND status = 'pending' AND email_key <> (SELECT email_key FROM users WHERE id = ${user})
), organizations_of_no_one_else AS (
  DELETE FROM organizations AS o USING memberships AS m
  WHERE m.organization_id = o.id AND m.user_id = ${user} AND NOT EXISTS (
    SELECT FROM memberships AS other WHERE other.organization_id = o.id AND other.user_id <> m.user_id
  )
)
DELETE FROM users WHERE id = ${user}
