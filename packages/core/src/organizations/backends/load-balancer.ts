import { z } from 'zod';
import { uniqueList } from '../../kernel/shared/constraints.ts';
import { type JsonObject, withoutNulls } from '../../kernel/shared/json.ts';
import { coded, sizeMessage } from '../../kernel/shared/parse.ts';
import { usageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import { OptionalRequestHostname } from './address.ts';
import { type Backend, BackendName, type BackendStamp } from './backend.ts';
import { BackendId } from './backend-reference.ts';

/** How a load balancer picks one of its enabled origins. */
export const balancingMethods = ['random', 'round_robin', 'least_connections', 'ip_hash'] as const;
export type BalancingMethod = (typeof balancingMethods)[number];

/** The violation for any reference that does not resolve to an origin server of the organization. */
export const unknownOrigin = {
  code: 'loadBalancer.origin.unknown',
  message: 'The organization has no such origin server.',
} as const;

/** Text that is not a valid id is treated like an unknown id. */
const OriginServerReference = z
  .string()
  .refine((id) => BackendId.safeParse(id).success, coded(unknownOrigin.code, unknownOrigin.message))
  .pipe(BackendId);

/** An origin server of a load balancer. */
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
}).refine((origins) => origins.length > 0, coded('list.tooShort', sizeMessage('at least', 1, 'entry')));

/** The client-supplied part of a load balancer. */
export const LoadBalancerDraft = z
  .strictObject({
    name: BackendName,
    method: z.enum(balancingMethods).default('random'),
    requestHostname: OptionalRequestHostname,
    origins: Origins,
  })
  // Keeps the member even if undefined, as in every stored load balancer.
  .transform(({ requestHostname, ...rest }) => ({ ...rest, requestHostname }));
export type LoadBalancerDraft = z.output<typeof LoadBalancerDraft>;

/** Distributes requests over several origin servers. */
export interface LoadBalancer extends Backend {
  readonly method: BalancingMethod;
  /** One or more, as ordered by the client; each origin server at most once. */
  readonly origins: readonly LoadBalancerOrigin[];
}

/** The part of a load balancer that a write sets. */
export type WrittenLoadBalancer = Omit<LoadBalancer, keyof BackendStamp>;

/** The client-supplied part, to which merge patches apply. */
export const loadBalancerDocument = ({ name, method, requestHostname, origins }: LoadBalancerDraft) => ({
  name,
  method,
  ...(requestHostname === undefined ? {} : { requestHostname }),
  origins: origins.map(({ originServer, weight, enabled }) => ({ originServer, weight, enabled })),
});

/** The origin servers that a patch names; none if its origins are missing or invalid. */
export function originsNamedIn({ origins }: JsonObject): readonly BackendId[] {
  const parsed = Origins.safeParse(origins === undefined ? undefined : withoutNulls(origins));
  return parsed.success ? parsed.data.map(({ originServer }) => originServer) : [];
}
