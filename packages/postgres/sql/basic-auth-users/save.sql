UPDATE basic_auth_users
SET comment = ${comment}, password_hash = coalesce(${hash}, password_hash), updated_at = clock_timestamp(),
  revision = revision + 1
WHERE id = ${id} AND zone_id = ${zoneId}
RETURNING /*part basic-auth-users/columns*/
