import { z } from 'zod';
import type { DomainId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { Version } from '../../kernel/shared/version.ts';
import { type InvalidInput, invalidAt, violation } from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import { DomainName } from './dns-names.ts';

/** `pending` has never been proven; `lapsing` is no longer proven but still counts; `lapsed` no longer counts. */
export const domainStates = ['pending', 'verified', 'lapsing', 'lapsed'] as const;
export type DomainState = (typeof domainStates)[number];

/** A domain that nobody proves is deleted after 14 days. */
export const pendingDomainLifetimeSeconds = 14 * 24 * 60 * 60;

/** Why a check did not find the record; only `dns.failed` may be a fault of DNS. */
export const domainProblems = ['dns.noRecord', 'dns.otherValue', 'dns.noSuchName', 'dns.failed'] as const;

/** The problem that the last check had, for people. */
export interface DomainProblem {
  readonly code: (typeof domainProblems)[number];
  readonly message: string;
}

/** A DNS name that an organization has proven to control, or is about to. */
export interface Domain {
  readonly id: DomainId;
  readonly organizationId: OrganizationId;
  readonly name: DomainName;
  readonly state: DomainState;
  /** 43 random characters, which the record has to have. */
  readonly proof: string;
  readonly createdAt: Date;
  /** When the state last changed. */
  readonly updatedAt: Date;
  readonly checkedAt: Date | undefined;
  readonly nextCheckAt: Date | undefined;
  /** When it last became verified. */
  readonly verifiedAt: Date | undefined;
  readonly problem: DomainProblem | undefined;
  readonly revision: number;
}

/** The TXT record that proves control of a domain. */
export const verificationRecord = ({ name, proof }: Pick<Domain, 'name' | 'proof'>) =>
  ({ name: `_zonewright.${name}`, type: 'TXT', value: `zonewright-verification=${proof}` }) as const;

/** For entity tags: every check changes the domain. */
export const domainVersion = ({ revision }: Pick<Domain, 'revision'>): Version => String(revision);

/** The client-supplied part of a domain. */
export const DomainDraft = z.strictObject({ name: DomainName });
export type DomainDraft = z.output<typeof DomainDraft>;

/** The violation when an organization has as many domains as it can. */
export const tooManyDomains = ({ domains }: UsageLimits): InvalidInput =>
  invalidAt('', 'organization.domains.limit', fullMessage('An organization', domains, 'domains'));

/** The violation when the organization has the domain already. */
export const domainDuplicate = violation('name', 'domain.duplicate', 'The organization already has this domain.');
