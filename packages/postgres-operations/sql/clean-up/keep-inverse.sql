-- Of a revision without the one before it.
UPDATE zone_revisions SET inverse = ${inverse}::json WHERE zone_id = ${zone} AND number = ${number}
