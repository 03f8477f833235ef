SELECT id, password_hash AS hash FROM basic_auth_users WHERE zone_id = ${zone}
