-- Without the conditions of a filter: evaluating them for each entry would take as long as counting.
SELECT count(*)::int AS "total" FROM audit_log WHERE organization_id = ${organization}
