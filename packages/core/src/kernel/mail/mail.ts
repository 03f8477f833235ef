import type { UserId } from '../shared/ids.ts';
import type { Email, EmailKey } from './email.ts';
import type { MailedToken } from './mailed-token.ts';

/** How long it is recorded that a mail was sent or given up, without its content: seven days. */
export const finishedMailLifetimeSeconds = 7 * 24 * 60 * 60;

/** Security events that the owner of an account should know about in case someone else caused them. */
export const notices = [
  'password-changed',
  'two-factor-enabled',
  'two-factor-disabled',
  'recovery-codes-replaced',
  'recovery-code-used',
  'sessions-ended-after-reuse',
  'second-factor-locked',
  'signed-in-from-new-network',
  'api-token-created',
  'provider-linked',
  'provider-unlinked',
  'passkey-added',
  'passkey-removed',
  'passkey-counter-went-back',
] as const;
export type Notice = (typeof notices)[number];

/** A security notice to the owner of an account, with what is known about the client. */
export interface NoticeMail {
  readonly kind: 'notice';
  readonly to: Email;
  readonly user: UserId;
  readonly notice: Notice;
  readonly network?: string;
  /** As sent by the client: escape it before use. */
  readonly userAgent?: string;
  /** Further notices of this kind are suppressed for a while. */
  readonly isLastForNow: boolean;
}

/** What an invitation is to. The names are texts that users have chosen: strangers may read them, so defuse them. */
export interface InvitationSubject {
  readonly organization: string;
  readonly role: string;
  /** First and last name. */
  readonly inviter: string;
}

/** To those who administer an organization: one of its domains is no longer proven. */
export interface DomainLapsingMail {
  readonly kind: 'domain-lapsing';
  readonly to: Email;
  readonly organization: string;
  readonly domain: string;
  /** The TXT record that has to be there again. */
  readonly record: { readonly name: string; readonly value: string };
}

/** To those who administer an organization: another one has proven a domain and got host names that it no longer could. */
export interface HostNamesLostMail {
  readonly kind: 'host-names-lost';
  readonly to: Email;
  readonly organization: string;
  /** The zone that had them. */
  readonly zone: string;
  readonly hostnames: readonly string[];
}

/** Mails about domains, to those who administer an organization. */
export type DomainMail = DomainLapsingMail | HostNamesLostMail;

/** A mail that the service sends. `to` is the stored address. */
export type Mail =
  | { readonly kind: 'verify-email'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'reset-password'; readonly to: Email; readonly token: MailedToken }
  /** To a person whose account the operator created; links to the page for choosing a password. */
  | { readonly kind: 'account-created'; readonly to: Email; readonly token: MailedToken }
  /** To a new address, before the account has it. */
  | { readonly kind: 'confirm-email'; readonly to: Email; readonly token: MailedToken }
  /** To the old address of the account. */
  | { readonly kind: 'undo-email'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'invitation'; readonly to: Email; readonly token: MailedToken; readonly about?: InvitationSubject }
  | DomainMail
  | NoticeMail;

/** A queued mail that cannot be decrypted right now; its key may be missing temporarily. */
export interface UnreadableMail {
  readonly kind: 'unreadable';
}

/**
 * A request for a mail to an address. Whether it has an account is looked up only on delivery, so that the requester
 * cannot find out.
 */
export interface MailRequest {
  readonly kind: 'request';
  readonly purpose: 'verify-email' | 'reset-password';
  readonly email: EmailKey;
}

const priorities = {
  'verify-email': 0,
  'reset-password': 0,
  'account-created': 0,
  'confirm-email': 0,
  'undo-email': 0,
  request: 0,
  notice: 1,
  'domain-lapsing': 1,
  'host-names-lost': 1,
  invitation: 2,
} as const satisfies Record<(Mail | MailRequest)['kind'], number>;

/**
 * Priority in the queue; lower numbers go first. Accounts are unusable without verification and reset mails, whose
 * tokens expire soon; invitations can wait.
 */
export const mailPriority = ({ kind }: Mail | MailRequest): number => priorities[kind];
