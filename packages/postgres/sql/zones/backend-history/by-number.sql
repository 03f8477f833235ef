SELECT r.number, r.action, r.author, r.created_at::timestamptz(3) AS "createdAt", r.state, coalesce(b.state, r.before) AS "before"
FROM backend_revisions AS r
  LEFT JOIN backend_revisions AS b ON b.backend_id = r.backend_id AND b.number = r.number - 1
WHERE r.backend_id = ${id} AND r.organization_id = ${organizationId} AND r.kind = ${kind} AND r.number = ${number}
