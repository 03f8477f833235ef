SELECT count(*)::int AS "total" FROM promotions WHERE zone_id = ${zone}
