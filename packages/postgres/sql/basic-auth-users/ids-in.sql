SELECT id FROM basic_auth_users WHERE zone_id = ${zone}
