import { type Backends, backendKind } from '@zonewright/core';
import type { Connection } from './database.ts';
import { maybe } from './query.ts';
import { sql } from './sql.ts';

const locks = {
  origin_server: sql.backends.lockOriginServer,
  load_balancer: sql.backends.lockLoadBalancer,
} as const;

export const postgresBackends = (on: Connection): Backends => ({
  lockIfPresent: (organization, backend) =>
    maybe(on, locks[backendKind(backend)], { id: backend.id, organization }).map((row) => row !== undefined),
});
