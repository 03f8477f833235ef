INSERT INTO spent_states (hash) VALUES (${hash}) ON CONFLICT (hash) DO NOTHING RETURNING hash
