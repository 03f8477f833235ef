DELETE FROM memberships WHERE organization_id = ${id} AND user_id = ${user}
RETURNING user_id
