SELECT set_config('zonewright.clean_up', 'audit log', true)
