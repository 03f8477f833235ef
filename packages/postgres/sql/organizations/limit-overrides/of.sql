SELECT coalesce(limits, '{}')::text AS "limits" FROM organizations WHERE id = ${id}
