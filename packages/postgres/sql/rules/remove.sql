DELETE FROM rules WHERE id = ANY (${ids}) AND zone_id = ${zone} AND kind = ${kind}
