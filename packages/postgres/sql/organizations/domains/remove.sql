-- The organization is locked, so no zone is added meanwhile. A change of a zone that claims a name fails, or makes this
-- fail, because the name refers to its domain.
WITH domain AS MATERIALIZED (
  SELECT id, name, EXISTS (
    SELECT FROM zones AS z JOIN host_names AS h ON h.zone_id = z.id
    WHERE z.organization_id = d.organization_id
      AND (ltrim(h.name, '*.') = d.name OR right(h.name, length(d.name) + 1) = '.' || d.name)
  ) AS is_in_use
  FROM domains AS d WHERE d.id = ${id} AND d.organization_id = ${organization}
), removed AS (
  DELETE FROM domains AS d USING domain WHERE d.id = domain.id AND NOT domain.is_in_use
)
SELECT is_in_use AS "isInUse" FROM domain
