/** The public surface of the domain, by context: nothing else can be imported from outside. */

export { namesAnswering, type RequestFacts } from '@zonewright/engine';
export * from './accounts/index.ts';
export * from './delivery/index.ts';
export type { DomainStorage, MemoryReservation, SessionOptions, StorageSession, Subject } from './domain-storage.ts';
export * from './kernel/index.ts';
export { administration } from './operator-use-cases.ts';
export * from './organizations/index.ts';
export * from './review/index.ts';
export {
  type DomainError,
  type Ports,
  type Repositories,
  type UseCases,
  type UseCasesWith,
  useCases,
} from './use-cases.ts';
export * from './zones/index.ts';
