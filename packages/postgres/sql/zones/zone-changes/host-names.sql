-- A row for each domain of the organization with one of the names, and for each other zone that has a host name.
SELECT 'domain' AS kind, d.id, d.name, d.state, NULL::integer AS "organizationId", NULL AS "zoneName", NULL AS tag,
  NULL AS proof
FROM domains AS d
WHERE d.organization_id = ${organization} AND d.name = ANY (${domains})
UNION ALL
SELECT 'zone', z.id, h.name, NULL, z.organization_id, z.name, z.tag, (
  -- `verified` before `lapsing`.
  SELECT max(d.state) FROM domains AS d
  WHERE d.organization_id = z.organization_id AND d.name = ANY (${domains}) AND d.state IN ('verified', 'lapsing')
    AND (d.name = h.name OR right(h.name, length(d.name) + 1) = '.' || d.name)
)
FROM host_names AS h JOIN zones AS z ON z.id = h.zone_id
WHERE h.name = ANY (${hostnames}) AND z.id <> ${zone}
