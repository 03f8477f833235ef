DELETE FROM configuration_rules WHERE id = ${id} AND zone_id = ${zone}
