import type { Outbox } from './mail/ports.ts';

/** The repositories that every context may use. */
export interface KernelRepositories {
  readonly outbox: Outbox;
}
