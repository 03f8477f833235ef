-- The users that a column of the organization's rows names.
SELECT DISTINCT ${column:name} AS "user" FROM ${table:name}
WHERE ${key:name} IN (SELECT id FROM ${owners:name} WHERE ${ownerKey:name} = ${organization}) AND ${column:name} IS NOT NULL
