import {
  AddressChange,
  addressChangesPerHour,
  confirmAddressSeconds,
  emailKey,
  undoAddressSeconds,
  undoneBeforeSeconds,
} from '@zonewright/core';
import { limitsOf } from '../../http/limits.ts';
import { publicRoute, sessionRoute } from '../../http/route.ts';
import { acceptedMessage, message, presentMessage } from '../../present/message.ts';
import { authBody, smallBody, tokenBody } from '../row-members.ts';

const days = undoAddressSeconds / (24 * 60 * 60);

const ConfirmBody = tokenBody(
  `The token from the mail to the new address; works once and is valid for ${confirmAddressSeconds / 3600} hours.`,
);
const UndoBody = tokenBody(`The token from the mail to the old address; works once and is valid for ${days} days.`);

export const addressChangeRoutes = [
  sessionRoute({
    method: 'post',
    path: '/api/users/me/email',
    cost: 'constant',
    summary: 'Change your e-mail address.',
    description:
      'Needs a session that has been confirmed recently. Sends a link to the new address, which confirms the change, ' +
      `and one to the old address, which undoes it for ${days} days. The response is the same for every address, ` +
      `also if it has an account. At most ${addressChangesPerHour} changes in an hour send mails.`,
    answers: acceptedMessage,
    ...smallBody(AddressChange),
    errors: ['ConfirmationRequired', 'AccountNotFound'],
    idempotencyKey: 'ignored',
    limits: ({ body, client }) =>
      limitsOf.resendVerification({ emailKey: emailKey(body.email), network: client.network }),
    run: ({ caller, body, useCases }) => useCases.requestAddressChange(caller, body),
    present: () => presentMessage('We have sent a link to the new address. Open it to confirm the change.'),
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/confirm-email',
    cost: 'constant',
    summary: 'Confirm a new e-mail address.',
    description:
      'Ends every session of the user but the one that asked for the change. Until the change can no longer be undone, ' +
      'nobody can register the old address. An account that has never verified the new address is replaced. Attempts ' +
      'with invalid tokens are limited per network.',
    answers: message,
    ...authBody(ConfirmBody),
    errors: ['MailedTokenInvalid'],
    limits: ({ client }) => limitsOf.verifyEmail(client),
    run: ({ body, client, useCases }) => useCases.confirmAddressChange(body.token, client),
    present: () => presentMessage('E-mail address changed. All other sessions have been ended.'),
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/undo-email',
    cost: 'constant',
    summary: 'Undo the change of an e-mail address.',
    description:
      'Brings the old address back, ends every session of the user, and voids every link to change the address. Ends ' +
      `what was added since ${undoneBeforeSeconds / 60} minutes before the request: passkeys, identities, API tokens, ` +
      'an authenticator app and recovery codes; and a password that was set since the change was confirmed. ' +
      'Attempts with invalid tokens are limited per network.',
    answers: message,
    ...authBody(UndoBody),
    errors: ['MailedTokenInvalid'],
    limits: ({ client }) => limitsOf.verifyEmail(client),
    run: ({ body, client, useCases }) => useCases.undoAddressChange(body.token, client),
    present: () =>
      presentMessage('The account keeps this e-mail address. All sessions, and what was added since, have been ended.'),
  }),
];
