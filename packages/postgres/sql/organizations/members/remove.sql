DELETE FROM memberships WHERE organization_id = ${organization} AND user_id = ${user}
RETURNING user_id
