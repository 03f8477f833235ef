-- In the order of the ids, as in every unit that locks several. Conflicts with the FOR UPDATE of a change or removal, and
-- of a changed address of one of its origins.
SELECT id FROM load_balancers
WHERE organization_id = ${organization} AND id = ANY (${ids}::uuid[])
ORDER BY id
FOR KEY SHARE
