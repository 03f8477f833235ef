SELECT coalesce(sum(zones), 0)::int AS "count" FROM zone_tallies WHERE organization_id = ${organization}
