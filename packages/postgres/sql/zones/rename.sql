UPDATE zones SET name = ${name}, name_key = ${nameKey}, tag = ${tag}, updated_at = clock_timestamp() WHERE id = ${id}
