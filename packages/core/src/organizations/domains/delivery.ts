import { coveringNames, type HostName } from './dns-names.ts';
import type { Domain } from './domain.ts';
import { coveringDomain, type HostNameRules } from './host-name-rules.ts';

/** Whether requests for a host name reach its zone, and why not. */
export interface HostNameDelivery {
  readonly name: HostName;
  readonly delivered: boolean;
  readonly reason?: 'domain.lapsed' | 'domain.unverified';
}

/**
 * Which host names of a zone are delivered: those that a verified or lapsing domain covers. `domains` are those of the
 * zone's organization, at least as far as they may cover one of the names.
 */
export const hostNameDelivery = (
  hostnames: readonly HostName[],
  domains: readonly Pick<Domain, 'name' | 'state'>[],
  { verification }: Pick<HostNameRules, 'verification'>,
): readonly HostNameDelivery[] => {
  const lapsed = new Set(domains.flatMap(({ name, state }) => (state === 'lapsed' ? [name] : [])));
  return hostnames.map((name) => {
    if (verification === 'off' || coveringDomain(name, domains) !== undefined) return { name, delivered: true };
    const isLapsed = coveringNames(name).some((each) => lapsed.has(each));
    return { name, delivered: false, reason: isLapsed ? 'domain.lapsed' : 'domain.unverified' };
  });
};
