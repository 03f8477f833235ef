-- The domains first, so that none of them becomes verified meanwhile; one row if the zone may lose the names.
WITH proving AS MATERIALIZED (
  SELECT d.state FROM zones AS z JOIN domains AS d ON d.organization_id = z.organization_id
  WHERE z.id = ${zone} AND d.name = ANY (${domains})
  ORDER BY d.name
  FOR SHARE OF d
)
SELECT z.id FROM zones AS z
WHERE z.id = ${zone} AND NOT EXISTS (SELECT FROM proving WHERE state IN ('verified', 'lapsing'))
FOR UPDATE
