SELECT row_to_json(o)::text AS "row" FROM organizations AS o WHERE id = ${organization}
