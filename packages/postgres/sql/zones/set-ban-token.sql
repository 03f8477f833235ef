UPDATE zones SET ban_token = ${banToken}, updated_at = clock_timestamp() WHERE id = ${id}
