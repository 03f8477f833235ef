/*part accounts/facts-rows*/
WHERE u.id = ${id}
