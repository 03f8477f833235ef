import type { Notice, NoticeMail } from '@zonewright/core';
import type { Content } from './content.ts';
import { programName } from './program-name.ts';

/** What happened, when and where from, and what to do about it. */
export function noticeContent({ notice, network, userAgent, isLastForNow }: NoticeMail, at: Date): Content {
  const { subject, before, after } = noticeContents[notice];
  return {
    subject,
    before: [...before, circumstances(at, network, userAgent)],
    after: isLastForNow ? [...after, noMore] : after,
  };
}

const noMore =
  'You have had several mails like this one within an hour. If it happens again, the next mail comes in an hour at the earliest.';

function circumstances(at: Date, network: string | undefined, userAgent: string | undefined): string {
  const [date, time = ''] = at.toISOString().split('T');
  const moment = `This happened on ${date} at ${time.slice(0, 5)} UTC`;
  return network === undefined
    ? `${moment}.`
    : `${moment}, from the network ${network}, with ${programName(userAgent)}.`;
}

const nothingToDo = 'If it was you, there is nothing to do.';
/** A new password ends sessions, but not API tokens. */
const takeBack =
  'ask for a new password on the sign-in page at once: choosing one signs everyone out. Delete API tokens that you do not know, because they stay valid.';

/**
 * One mail for each notice: what happened, and what to do about it if somebody else did it. None leads anywhere, so
 * that a forged notice with a link looks different.
 */
const noticeContents: Readonly<Record<Notice, Content>> = {
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
  'second-factor-locked': {
    subject: 'Wrong codes were entered for your Zonewright account',
    before: [
      'Too many wrong two-factor codes in a row were entered for the Zonewright account with this e-mail address. For a while, no code is accepted.',
    ],
    after: [
      'If it was you, wait some minutes before you try again.',
      `If it was not you, someone knows your password: ${takeBack}`,
    ],
  },
  'signed-in-from-new-network': {
    subject: 'New sign-in to your Zonewright account',
    before: [
      'Someone signed in to the Zonewright account with this e-mail address from a network that was not used for it recently.',
    ],
    after: [nothingToDo, `If it was not you, ${takeBack}`],
  },
  'api-token-created': {
    subject: 'An API token was created for your Zonewright account',
    before: [
      'A new API token was created for the Zonewright account with this e-mail address. Whoever has it can use the API in your name.',
    ],
    after: [nothingToDo, `If it was not you, delete the token. Then ${takeBack}`],
  },
};
