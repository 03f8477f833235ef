SELECT organization_id AS id FROM memberships WHERE user_id = $1 ORDER BY 1
