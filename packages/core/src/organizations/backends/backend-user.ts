import type { OrganizationId, RuleId, ZoneId } from '../../kernel/shared/ids.ts';
import type { BackendId } from './backend-reference.ts';

/** What sends requests to a backend: a zone's settings, a rule, or a load balancer. */
export type BackendUser =
  | { readonly kind: 'zone'; readonly name: string; readonly zone: ZoneId }
  | { readonly kind: 'configurationRule'; readonly name: string; readonly zone: ZoneId; readonly rule: RuleId }
  | {
      readonly kind: 'loadBalancer';
      readonly name: string;
      readonly organization: OrganizationId;
      readonly loadBalancer: BackendId;
    };

/** Bounds the response; nobody reads a longer list. */
export const maxUsers = 100;

const namedInMessages = 5;
const kinds = { zone: 'zone', configurationRule: 'rule', loadBalancer: 'load balancer' } as const;

/** Names the first few users, for messages. */
export function namesOfUsers(users: readonly BackendUser[]): string {
  const named = users.slice(0, namedInMessages).map(({ kind, name }) => `${kinds[kind]} "${name}"`);
  return [...named, ...(users.length > namedInMessages ? ['others'] : [])].join(', ');
}
