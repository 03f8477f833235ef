-- Where requests of zones go: origin servers, and load balancers over them. Until now both were ids that nothing could make.

ALTER TABLE origin_servers
  ADD COLUMN name text NOT NULL,
  -- The name without letter case; byte order, so that it sorts the same everywhere.
  ADD COLUMN name_key text COLLATE "C" NOT NULL,
  ADD COLUMN protocol text NOT NULL CHECK (protocol IN ('http', 'https')),
  -- As written by the client.
  ADD COLUMN address text NOT NULL,
  -- The host name in lower case, or the canonical text of the IP address.
  ADD COLUMN address_key text COLLATE "C" NOT NULL,
  ADD COLUMN port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  ADD COLUMN request_hostname text,
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD CONSTRAINT origin_servers_name_unique UNIQUE (organization_id, name_key),
  ADD CONSTRAINT origin_servers_address_unique UNIQUE (organization_id, address_key, port),
  -- What origins of load balancers refer to: they and their load balancer belong to one organization.
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
  -- 1-based place in the list, as written by the client.
  position integer NOT NULL CHECK (position BETWEEN 1 AND 32),
  origin_server_id uuid NOT NULL,
  -- Deleted together with its organization, and not only after its load balancer: by then the origin server would be
  -- deleted as well, which is refused while this row is there.
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

-- The backend that settings name, so that the users of a backend can be found. No foreign key: it is of one of two kinds.
-- Instead, whoever begins to use a backend locks its row, and so does whoever deletes it.
ALTER TABLE zone_settings
  ADD COLUMN backend_id uuid GENERATED ALWAYS AS ((settings -> 'defaultBackend' ->> 'id')::uuid) STORED;
CREATE INDEX zone_settings_backend ON zone_settings (backend_id) WHERE backend_id IS NOT NULL;
ALTER TABLE configuration_rules
  ADD COLUMN backend_id uuid GENERATED ALWAYS AS ((settings_overrides -> 'defaultBackend' ->> 'id')::uuid) STORED;
CREATE INDEX configuration_rules_backend ON configuration_rules (backend_id) WHERE backend_id IS NOT NULL;
