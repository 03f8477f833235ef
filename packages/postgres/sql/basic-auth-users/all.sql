SELECT /*part basic-auth-users/columns*/
FROM basic_auth_users WHERE zone_id = ${zone}
ORDER BY id
