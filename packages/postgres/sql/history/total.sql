SELECT count(*)::int AS "total" FROM zone_revisions WHERE zone_id = ${zone}
