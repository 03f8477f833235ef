-- References from later revisions to the settings and rules of revisions before one.
SELECT number, contents_from AS "contentsFrom", adjustment IS NULL AS "isExact" FROM zone_revisions
WHERE zone_id = ${zone} AND number > ${number} AND contents_from < ${number}
ORDER BY number
