SELECT coalesce(sum(zones), 0)::int AS "total" FROM zone_tallies WHERE organization_id = ${organization}
