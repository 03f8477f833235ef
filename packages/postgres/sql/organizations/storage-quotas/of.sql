-- The sum is a float so that it is read as a number; it is exact.
SELECT coalesce((SELECT sum(bytes) FROM stored_bytes WHERE organization_id = ${organization}), 0)::float8 AS "used",
  (SELECT limits::text FROM organizations WHERE id = ${organization}) AS "ownLimits"
