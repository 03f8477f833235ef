SELECT current_database() AS "database", coalesce((
  SELECT setconfig FROM pg_db_role_setting
  WHERE setrole = session_user::regrole AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
), '{}') AS "settings"
