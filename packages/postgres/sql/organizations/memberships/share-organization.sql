SELECT EXISTS (
  SELECT 1 FROM memberships AS a JOIN memberships AS b ON b.organization_id = a.organization_id
  WHERE a.user_id = ${first} AND b.user_id = ${second}
    AND (${among}::int[] IS NULL OR a.organization_id = ANY (${among}::int[]))
) AS "shared"
