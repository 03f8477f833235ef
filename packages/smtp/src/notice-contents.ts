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
  'You have received several e-mails like this one within an hour. If it happens again, we will not send another one for at least an hour.';

function circumstances(at: Date, network: string | undefined, userAgent: string | undefined): string {
  const [date, time = ''] = at.toISOString().split('T');
  const moment = `This happened on ${date} at ${time.slice(0, 5)} UTC`;
  return network === undefined
    ? `${moment}.`
    : `${moment}, from the network ${network}, with ${programName(userAgent)}.`;
}

const nothingToDo = 'If this was you, there is nothing to do.';
/** A new password ends sessions; it revokes API tokens only if that is chosen, and no passkeys. */
const takeBack =
  'reset your password where you sign in immediately. A new password signs everyone out. Choose to revoke your API tokens with it, and delete passkeys that you do not recognize, because they stay valid.';

/**
 * One mail per notice: what happened, and what to do if someone else did it. None contains a link, so that a forged
 * notice with one stands out.
 */
const noticeContents: Readonly<Record<Notice, Content>> = {
  'password-changed': {
    subject: 'Your password at {service} was changed',
    before: ['The password of the account with this e-mail address at {service} was changed.'],
    after: [nothingToDo, `If this was not you, ${takeBack}`],
  },
  'two-factor-enabled': {
    subject: 'Two-factor authentication was turned on for your account at {service}',
    before: [
      'Two-factor authentication was turned on for the account with this e-mail address at {service}. Signing in now requires a code from the authenticator app, or a recovery code, in addition to the password.',
    ],
    after: [
      nothingToDo,
      `If this was not you, ${takeBack}`,
      'If you do so within 7 days, two-factor authentication is turned off as well, unless it was turned on by someone who had just signed in. In that case, ask the operators of the service to turn it off, because you cannot sign in without a code.',
    ],
  },
  'two-factor-disabled': {
    subject: 'Two-factor authentication was turned off for your account at {service}',
    before: [
      'Two-factor authentication was turned off for the account with this e-mail address at {service}. Signing in no longer requires a code.',
    ],
    after: [
      nothingToDo,
      `If this was not you, ${takeBack}`,
      'Then sign in and turn two-factor authentication on again.',
    ],
  },
  'recovery-codes-replaced': {
    subject: 'The recovery codes of your account at {service} were replaced',
    before: [
      'New recovery codes were generated for the account with this e-mail address at {service}. The old ones no longer work.',
    ],
    after: [nothingToDo, `If this was not you, ${takeBack}`, 'Then sign in and replace the recovery codes again.'],
  },
  'recovery-code-used': {
    subject: 'A recovery code of your account at {service} was used',
    before: ['A recovery code of the account with this e-mail address at {service} was used. It cannot be used again.'],
    after: [
      'If this was you and you have only a few codes left, replace them in your account.',
      `If this was not you, ${takeBack}`,
      'Then sign in and replace the recovery codes, because someone else knows them.',
    ],
  },
  'sessions-ended-after-reuse': {
    subject: 'You were signed out of {service} everywhere',
    before: [
      'A session of the account with this e-mail address at {service} was used from two places, which happens when someone has copied it. To be safe, all sessions of the account were ended.',
    ],
    after: [
      'If this was you, for example because you restored a device from a backup, just sign in again.',
      `If this was not you, ${takeBack}`,
    ],
  },
  'second-factor-locked': {
    subject: 'Wrong codes were entered for your account at {service}',
    before: [
      'Too many wrong two-factor codes in a row were entered for the account with this e-mail address at {service}. No codes will be accepted for a while.',
    ],
    after: [
      'If this was you, wait a few minutes before you try again.',
      `If this was not you, someone knows your password: ${takeBack}`,
    ],
  },
  'signed-in-from-new-network': {
    subject: 'New sign-in to your account at {service}',
    before: [
      'Someone signed in to the account with this e-mail address at {service} from a network that has not been used for it recently.',
    ],
    after: [nothingToDo, `If this was not you, ${takeBack}`],
  },
  'api-token-created': {
    subject: 'An API token was created for your account at {service}',
    before: [
      'A new API token was created for the account with this e-mail address at {service}. Anyone who has it can use the API on your behalf.',
    ],
    after: [nothingToDo, `If this was not you, delete the token. Then ${takeBack}`],
  },
  'provider-linked': {
    subject: 'A sign-in provider was linked to your account at {service}',
    before: [
      'A sign-in provider was linked to the account with this e-mail address at {service}. Whoever has that account at the provider can now sign in here.',
    ],
    after: [nothingToDo, `If this was not you, ${takeBack}`, 'Then unlink the provider in your profile.'],
  },
  'provider-unlinked': {
    subject: 'A sign-in provider was unlinked from your account at {service}',
    before: [
      'A sign-in provider was unlinked from the account with this e-mail address at {service}, and the sessions that came from it were ended.',
    ],
    after: [nothingToDo, `If this was not you, ${takeBack}`],
  },
  'passkey-added': {
    subject: 'A passkey was added to your account at {service}',
    before: [
      'A passkey was added to the account with this e-mail address at {service}. Whoever has it can sign in without a password.',
    ],
    after: [nothingToDo, `If this was not you, delete the passkey. Then ${takeBack}`],
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account at {service}',
    before: [
      'A passkey was removed from the account with this e-mail address at {service}. It can no longer be used to sign in.',
    ],
    after: [nothingToDo, `If this was not you, ${takeBack}`],
  },
  'passkey-counter-went-back': {
    subject: 'A passkey of your account at {service} was refused',
    before: [
      'A passkey of the account with this e-mail address at {service} was used, but it counts its uses, and the count had gone back. This happens when there is a copy of it. It was not accepted.',
    ],
    after: [
      'If this was you, for example because you restored a device from a backup, delete the passkey and add it again.',
      `If this was not you, delete the passkey. Then ${takeBack}`,
    ],
  },
};
