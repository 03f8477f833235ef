import { z } from 'zod';
import { uniqueList } from '../shared/constraints.ts';
import { type JsonObject, withoutNulls } from '../shared/merge-patch.ts';
import { coded } from '../shared/parse.ts';
import { usageLimits } from '../usage-limits/usage-limits.ts';
import { OptionalRequestHostname } from './address.ts';
import { type Backend, BackendName, type BackendStamp } from './backend.ts';
import { BackendId } from './backend-reference.ts';

/** How a load balancer chooses among its enabled origins. */
export const balancingMethods = ['random', 'round_robin', 'least_connections', 'ip_hash'] as const;
export type BalancingMethod = (typeof balancingMethods)[number];

/** What is said of a reference that leads to no origin server of the organization, whatever is wrong with it. */
export const unknownOrigin = {
  code: 'loadBalancer.origin.unknown',
  message: 'The organization has no such origin server.',
} as const;

/** What cannot be an id names nothing, like an id that nothing has. */
const OriginServerReference = z
  .string()
  .refine((id) => BackendId.safeParse(id).success, coded(unknownOrigin.code, unknownOrigin.message))
  .pipe(BackendId);

/** One of the origin servers behind a load balancer. */
const LoadBalancerOrigin = z.strictObject({
  originServer: OriginServerReference,
  weight: z.int().min(1).max(1000).default(1),
  enabled: z.boolean().default(true),
});
export type LoadBalancerOrigin = z.output<typeof LoadBalancerOrigin>;

const Origins = uniqueList(LoadBalancerOrigin, {
  maxItems: usageLimits.origins.ceiling,
  key: ({ originServer }) => originServer,
  at: ['originServer'],
}).refine((origins) => origins.length > 0, coded('list.tooShort', 'This value should have at least 1 entry.'));

/** What a client writes of a load balancer. */
export const LoadBalancerDraft = z
  .strictObject({
    name: BackendName,
    method: z.enum(balancingMethods).default('random'),
    requestHostname: OptionalRequestHostname,
    origins: Origins,
  })
  // The member is there even when it has no value, as in every stored load balancer.
  .transform(({ requestHostname, ...rest }) => ({ ...rest, requestHostname }));
export type LoadBalancerDraft = z.output<typeof LoadBalancerDraft>;

/** Distributes requests across several origin servers. */
export interface LoadBalancer extends Backend {
  readonly method: BalancingMethod;
  /** One or more, in the order written; each origin server once. */
  readonly origins: readonly LoadBalancerOrigin[];
}

/** Everything of a load balancer that a write sets. */
export type WrittenLoadBalancer = Omit<LoadBalancer, keyof BackendStamp>;

/** What a client could have written: the document that a merge patch is applied to. */
export const loadBalancerDocument = ({ name, method, requestHostname, origins }: LoadBalancerDraft) => ({
  name,
  method,
  ...(requestHostname === undefined ? {} : { requestHostname }),
  origins: origins.map(({ originServer, weight, enabled }) => ({ originServer, weight, enabled })),
});

/** The origin servers that a patch names; none when its list of origins is missing or will be refused. */
export function originsNamedIn({ origins }: JsonObject): readonly BackendId[] {
  const parsed = Origins.safeParse(origins === undefined ? undefined : withoutNulls(origins));
  return parsed.success ? parsed.data.map(({ originServer }) => originServer) : [];
}
