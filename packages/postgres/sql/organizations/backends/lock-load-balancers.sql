-- In id order, like all units that lock several. Conflicts with the FOR UPDATE of a change or removal, and of an
-- address change of its origins.
SELECT id FROM load_balancers
WHERE organization_id = ${organization} AND id = ANY (${ids}::uuid[])
ORDER BY id
FOR KEY SHARE
