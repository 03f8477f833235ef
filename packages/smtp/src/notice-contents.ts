import type { Notice } from '@zonewright/core';
import type { Content } from './content.ts';

const nothingToDo = 'If it was you, there is nothing to do.';
/** A new password ends sessions, but not API tokens. */
const takeBack =
  'ask for a new password on the sign-in page at once: choosing one signs everybody out. Delete API tokens that you do not know, because they stay valid.';

/**
 * One mail for each notice: what happened, and what to do about it if somebody else did it. None leads anywhere, so
 * that a forged notice with a link looks different.
 */
export const noticeContents: Readonly<Record<Notice, Content>> = {
  'password-changed': {
    subject: 'Your Zonewright password was changed',
    before: ['The password of the Zonewright account with this e-mail address was changed.'],
    after: [nothingToDo, `If it was not you, ${takeBack}`],
  },
  'two-factor-enabled': {
    subject: 'Two-factor authentication was turned on for your Zonewright account',
    before: [
      'Two-factor authentication was turned on for the Zonewright account with this e-mail address. Signing in now takes a code of the authenticator app, or a recovery code, besides the password.',
    ],
    after: [
      nothingToDo,
      `If it was not you, ${takeBack}`,
      'Then ask those who run the service to turn two-factor authentication off, because you cannot sign in without a code.',
    ],
  },
  'two-factor-disabled': {
    subject: 'Two-factor authentication was turned off for your Zonewright account',
    before: [
      'Two-factor authentication was turned off for the Zonewright account with this e-mail address. Signing in no longer takes a code.',
    ],
    after: [nothingToDo, `If it was not you, ${takeBack}`, 'Then sign in and turn two-factor authentication on again.'],
  },
  'recovery-codes-replaced': {
    subject: 'The recovery codes of your Zonewright account were replaced',
    before: [
      'New recovery codes were made for the Zonewright account with this e-mail address. The earlier ones no longer work.',
    ],
    after: [nothingToDo, `If it was not you, ${takeBack}`, 'Then sign in and replace the recovery codes again.'],
  },
  'recovery-code-used': {
    subject: 'A recovery code of your Zonewright account was used',
    before: [
      'A recovery code of the Zonewright account with this e-mail address was used. That code does not work again.',
    ],
    after: [
      'If it was you and few codes are left, replace them in your account.',
      `If it was not you, ${takeBack}`,
      'Then sign in and replace the recovery codes, because somebody else knows them.',
    ],
  },
  'sessions-ended-after-reuse': {
    subject: 'You were signed out of Zonewright everywhere',
    before: [
      'A sign-in of the Zonewright account with this e-mail address was used from two places, as happens when somebody copies it. To be safe, all sign-ins of the account were ended.',
    ],
    after: [
      'If it was you, for example because you restored a device from a backup, simply sign in again.',
      `If it was not you, ${takeBack}`,
    ],
  },
};
