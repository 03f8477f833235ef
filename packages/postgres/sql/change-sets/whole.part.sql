/*part change-sets/columns*/, patch::text AS "patch", operations::text AS "operations", disputed::text AS "disputed"
