DELETE FROM zone_publications_due WHERE id = ANY (${marks}::bigint[])
