-- In the order of their ids, so that two such units do not wait for each other.
SELECT o.id FROM organizations AS o JOIN memberships AS m ON m.organization_id = o.id
WHERE m.user_id = ${user}
ORDER BY o.id
FOR UPDATE OF o
