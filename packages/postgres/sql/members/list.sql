/*part members/rows*/
WHERE m.organization_id = ${organization}
ORDER BY m.joined_at, m.user_id
LIMIT ${limit} OFFSET ${offset}
