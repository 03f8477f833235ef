-- Two states of the database with the same memberships of the caller, and the same marks in those organizations, have the
-- same lists. The order of the parts does not matter: in another order, the page is read again.
SELECT basis, basis IS NOT DISTINCT FROM ${basis} AS is_current
  FROM concat_ws(';',
    (SELECT string_agg(organization || CASE WHEN needs_two_factor THEN role || '!' ELSE role END, ',') FROM allowed),
    (SELECT string_agg(m.mark::text, ',') FROM own JOIN zone_change_marks AS m ON m.organization_id = own.organization)
  ) AS basis
