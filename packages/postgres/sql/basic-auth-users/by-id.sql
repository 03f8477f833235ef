SELECT /*part basic-auth-users/columns*/
FROM basic_auth_users WHERE id = ${id} AND zone_id = ${zone}
