import { z } from 'zod';
import { BackendReference } from '../backends/backend-reference.ts';
import { asWritten, integerBetween, uniqueList } from '../shared/constraints.ts';
import { BasicAuthUserId } from '../shared/ids.ts';
import { settings } from './setting.ts';

const BasicAuth = z.strictObject({
  enabled: z.boolean().default(false).meta({ description: 'Whether clients are asked for a user name and password.' }),
  allowedUserIds: uniqueList(BasicAuthUserId, { maxItems: 100, key: asWritten })
    .default([])
    .meta({ description: "Ids of the zone's basic-auth users that are accepted; if empty, all of them." }),
});

/** Settings for where responses come from, who gets them, and how they are transformed. */
export const deliverySettings = settings({
  enabled: [
    z.boolean(),
    'When false, the zone only forwards: no caching, optimization or protection. Backends, header operations and basic auth stay in force.',
  ],
  defaultBackend: [BackendReference, 'Backend that answers requests of the zone.'],
  backendPortOverride: [
    integerBetween(1, 65_535),
    'Port used instead of the one of the chosen backend, for every member of a load balancer.',
  ],
  basicAuth: [BasicAuth, 'HTTP Basic Authentication in front of the zone.'],
  securityEnabled: [
    z.boolean(),
    'Runs the web application firewall and the security scenarios; access rules always run.',
  ],
  customPagesMaintenanceActive: [
    z.boolean(),
    'Answers every request with status 503, Retry-After and the maintenance page.',
  ],
  processingSsi: [z.boolean(), 'Processes server-side includes.'],
  processingEsi: [z.boolean(), 'Processes edge-side includes, before server-side includes.'],
  minifyHtml: [z.boolean(), 'Minifies HTML.'],
  debugHeadersEnabled: [
    z.boolean(),
    'Shows the cache status, the hash of the cache key and the ids of matched rules in response headers.',
  ],
});
