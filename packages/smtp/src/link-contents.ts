import {
  confirmAddressSeconds,
  type InvitationSubject,
  invitationLifetimeSeconds,
  mailedTokenLifetimeSeconds,
  undoAddressSeconds,
} from '@zonewright/core';
import type { Content } from './content.ts';
import { defused } from './defused.ts';

/**
 * Sent on registration, and again on request. Whoever registered chose the password and can sign in with it once the
 * address is confirmed, so the owner of the address must be warned and advised to reset it first.
 */
export const verifyEmail = (link: string): Content => ({
  subject: 'Confirm your e-mail address for {service}',
  before: [
    'Someone created an account at {service} with this e-mail address and chose a password for it.',
    'If this was you, open this link to confirm your address:',
  ],
  link,
  after: [
    `The link works once and is valid for ${inWords(mailedTokenLifetimeSeconds['verify-email'])}. After that, you can request a new one.`,
    'If this was not you, please do not open the link: doing so would activate the account for the person who created it, with the password they chose. Ignore this e-mail, and the account will be deleted after 7 days.',
    'If you want to use the account even though someone else created it, reset its password where you sign in first. The link in this e-mail then stops working; request a new one.',
  ],
});

/** Sent when a password reset is requested. */
export const resetPassword = (link: string): Content => ({
  subject: 'Choose a new password for {service}',
  before: [
    'Someone, probably you, asked to reset the password of the account with this e-mail address at {service}.',
    'To choose a new password, open this link:',
  ],
  link,
  after: [
    `The link works once and is valid for ${inWords(mailedTokenLifetimeSeconds['reset-password'])}. Changing your password signs you out everywhere.`,
    'If this was not you, please ignore this e-mail. Your password will not change.',
  ],
});

/** Sent to a person whose account the operator created. */
export const accountCreated = (link: string): Content => ({
  subject: 'Your account at {service}',
  before: [
    'An administrator of {service} created an account with this e-mail address for you.',
    'To choose a password and sign in, open this link:',
  ],
  link,
  after: [
    `The link works once and is valid for ${inWords(mailedTokenLifetimeSeconds['account-created'])}. After that, ask for a password reset where you sign in.`,
    'If you did not expect an account, please ignore this e-mail. Without a password, no one can sign in.',
  ],
});

/** Sent to the new address of an account. */
export const confirmEmail = (link: string): Content => ({
  subject: 'Confirm your new e-mail address for {service}',
  before: [
    'Someone, probably you, asked to use this e-mail address for their account at {service}.',
    'If this was you, open this link to confirm the address:',
  ],
  link,
  after: [
    `The link works once and is valid for ${inWords(confirmAddressSeconds)}. You will then sign in with this address, and be signed out everywhere else.`,
    'If this was not you, please ignore this e-mail. Nothing will change.',
  ],
});

/** Sent to the old address of an account at the same time. Only its owner can get the account back by it. */
export const undoEmail = (link: string): Content => ({
  subject: 'The e-mail address of your account at {service} is about to change',
  before: [
    'Someone, probably you, asked to replace this e-mail address of their account at {service} by another one. It changes as soon as the new address is confirmed.',
    'If this was not you, open this link to keep this address:',
  ],
  link,
  after: [
    `The link works once, also after the change, and is valid for ${inWords(undoAddressSeconds)}. It signs everyone out and ends what was added to the account since: passkeys, sign-in providers, API tokens, an authenticator app, a new password. Then reset your password where you sign in.`,
    'If this was you, there is nothing to do.',
  ],
});

/** Users choose the names in it, which are defused: strangers read this mail. */
export const invitation = (link: string, about: InvitationSubject | undefined): Content => ({
  subject: 'You have been invited to an organization at {service}',
  before: [
    about === undefined ? 'Someone invited you to join an organization at {service}.' : invitedTo(about),
    'To accept the invitation, open this link and sign in, or create an account with this e-mail address:',
  ],
  link,
  after: [
    `The link works once and is valid for ${inWords(invitationLifetimeSeconds)}. If you receive another invitation e-mail, use the newer one.`,
    'If you did not expect an invitation, please ignore this e-mail. You will not join the organization unless you accept.',
  ],
});

const invitedTo = ({ organization, role, inviter }: InvitationSubject): string =>
  `${defused(inviter)} invited you to join the organization “${defused(organization)}” at {service}, with the role ${role}.`;

const units = [
  { name: 'days', seconds: 24 * 60 * 60 },
  { name: 'hours', seconds: 60 * 60 },
] as const;

/** In the largest unit that divides the lifetime more than once; otherwise in minutes. */
function inWords(lifetimeSeconds: number): string {
  const unit = units.find(({ seconds }) => lifetimeSeconds > seconds && lifetimeSeconds % seconds === 0);
  return unit === undefined ? `${lifetimeSeconds / 60} minutes` : `${lifetimeSeconds / unit.seconds} ${unit.name}`;
}
