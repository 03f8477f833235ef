SELECT count(*)::int AS "total" FROM organizations WHERE id = ANY (${ids})
