-- Backends: origin servers, and load balancers over them. Until now both were ids that nothing could create.

ALTER TABLE origin_servers
  ADD COLUMN name text NOT NULL,
  -- Case-folded name, in byte order so that sorting does not depend on the locale.
  ADD COLUMN name_key text COLLATE "C" NOT NULL,
  ADD COLUMN protocol text NOT NULL CHECK (protocol IN ('http', 'https')),
  -- As written by the client.
  ADD COLUMN address text NOT NULL,
  -- The host name in lower case, or the canonical form of the IP address.
  ADD COLUMN address_key text COLLATE "C" NOT NULL,
  ADD COLUMN port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  ADD COLUMN request_hostname text,
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD CONSTRAINT origin_servers_name_unique UNIQUE (organization_id, name_key),
  ADD CONSTRAINT origin_servers_address_unique UNIQUE (organization_id, address_key, port),
  -- Target of load balancer origins, which must belong to the same organization as their load balancer.
  ADD CONSTRAINT origin_servers_of_organization UNIQUE (id, organization_id);

ALTER TABLE load_balancers
  ADD COLUMN name text NOT NULL,
  ADD COLUMN name_key text COLLATE "C" NOT NULL,
  ADD COLUMN method text NOT NULL CHECK (method IN ('random', 'round_robin', 'least_connections', 'ip_hash')),
  ADD COLUMN request_hostname text,
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD CONSTRAINT load_balancers_name_unique UNIQUE (organization_id, name_key),
  ADD CONSTRAINT load_balancers_of_organization UNIQUE (id, organization_id);

CREATE TABLE load_balancer_origins (
  load_balancer_id uuid NOT NULL,
  -- 1-based position in the list written by the client.
  position integer NOT NULL CHECK (position BETWEEN 1 AND 32),
  origin_server_id uuid NOT NULL,
  -- Cascades from the organization directly: deleting through the load balancer would be too late, because these rows
  -- prevent their origin servers from being deleted.
  organization_id integer NOT NULL REFERENCES organizations ON DELETE CASCADE,
  weight integer NOT NULL CHECK (weight BETWEEN 1 AND 1000),
  enabled boolean NOT NULL,
  PRIMARY KEY (load_balancer_id, position),
  CONSTRAINT load_balancer_origins_unique UNIQUE (load_balancer_id, origin_server_id),
  FOREIGN KEY (load_balancer_id, organization_id) REFERENCES load_balancers (id, organization_id) ON DELETE CASCADE,
  FOREIGN KEY (origin_server_id, organization_id) REFERENCES origin_servers (id, organization_id) ON DELETE RESTRICT
);
CREATE INDEX load_balancer_origins_origin_server ON load_balancer_origins (origin_server_id);
CREATE INDEX load_balancer_origins_organization ON load_balancer_origins (organization_id);

-- The backend in the settings, for finding a backend's users. No foreign key, because a backend is in one of two
-- tables. Instead, both using and deleting a backend lock its row.
ALTER TABLE zone_settings
  ADD COLUMN backend_id uuid GENERATED ALWAYS AS ((settings -> 'defaultBackend' ->> 'id')::uuid) STORED;
CREATE INDEX zone_settings_backend ON zone_settings (backend_id) WHERE backend_id IS NOT NULL;
ALTER TABLE configuration_rules
  ADD COLUMN backend_id uuid GENERATED ALWAYS AS ((settings_overrides -> 'defaultBackend' ->> 'id')::uuid) STORED;
CREATE INDEX configuration_rules_backend ON configuration_rules (backend_id) WHERE backend_id IS NOT NULL;
