DELETE FROM memberships WHERE user_id = ANY ($1::uuid[])
