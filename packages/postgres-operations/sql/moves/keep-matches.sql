CREATE TEMP TABLE matched_users (source uuid PRIMARY KEY, target uuid) ON COMMIT DROP;
INSERT INTO matched_users SELECT source, target FROM json_to_recordset(${matches:json}) AS m (source uuid, target uuid)
