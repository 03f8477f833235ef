SELECT basis, CASE WHEN pg_current_xact_id_if_assigned() IS NULL THEN pg_current_snapshot()::text END AS snapshot,
    coalesce(basis = ${basis} AND NOT EXISTS (
      SELECT FROM own JOIN zone_change_marks AS m ON m.organization_id = own.organization
      WHERE NOT pg_visible_in_snapshot(m.changed_by, ${snapshot}::pg_snapshot)
    ), false) AS is_current
  FROM concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_relation_filenode('zone_change_marks'),
    (SELECT string_agg(concat_ws(' ', organization, role, needs_two_factor), ',' ORDER BY organization) FROM allowed)) AS basis
