UPDATE organizations
SET name = ${name}, name_key = ${nameKey}, enforce_two_factor = ${enforceTwoFactor}, updated_at = clock_timestamp(),
  revision = revision + 1
WHERE id = ${id}
RETURNING /*part organizations/columns*/
