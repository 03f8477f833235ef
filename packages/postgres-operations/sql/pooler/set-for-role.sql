ALTER ROLE SESSION_USER IN DATABASE ${database:name} SET ${setting:name} = ${value}
