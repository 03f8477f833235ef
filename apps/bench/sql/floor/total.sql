SELECT sum(zones)::int AS "total" FROM zone_tallies WHERE organization_id = ANY ($1)
