INSERT INTO memberships (organization_id, user_id, role, joined_at) VALUES (${organization}, ${user}, ${role}, clock_timestamp())
ON CONFLICT (user_id, organization_id) DO NOTHING
