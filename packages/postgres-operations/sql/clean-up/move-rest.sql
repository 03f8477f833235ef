-- Between a reference and the revision that has the rest of its state are only references with the same rest.
UPDATE zone_revisions SET rest_from = ${number} WHERE zone_id = ${zone} AND number > ${number} AND rest_from < ${number}
