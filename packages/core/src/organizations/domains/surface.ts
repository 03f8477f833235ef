/** What others may use of domains and host names. */

export * from './delivery.ts';
export * from './dns.ts';
export * from './dns-names.ts';
export * from './domain.ts';
export * from './errors.ts';
export {
  type HostNameClaim,
  type HostNameFacts,
  type HostNameHolder,
  type HostNameRules,
  newNames,
  strictHostNameRules,
} from './host-name-rules.ts';
export { type DomainAfterLook, type Look, lapsingSeconds, type WatchedDomain } from './look.ts';
export { lookAtNextDomain } from './look-at-next-domain.ts';
export type * from './ports.ts';
