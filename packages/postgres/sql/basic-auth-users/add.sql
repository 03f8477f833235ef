INSERT INTO basic_auth_users (id, zone_id, username, username_key, comment, password_hash)
VALUES (${id}, ${zoneId}, ${username}, ${usernameKey}, ${comment}, ${hash})
ON CONFLICT ON CONSTRAINT basic_auth_users_name_unique DO NOTHING
RETURNING /*part basic-auth-users/columns*/
