/*part members/rows*/
WHERE m.organization_id = ${organization} AND m.user_id = ${user}
