-- Later references to the same settings and rules.
UPDATE zone_revisions SET contents_from = ${number} WHERE zone_id = ${zone} AND number > ${number} AND contents_from = ${from}
