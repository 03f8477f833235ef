import { item, mergePatchOn, readOnlyMembers } from '@zonewright/api-description';
import {
  Email,
  emailKey,
  mailedTokenLifetimeSeconds,
  Password,
  PasswordAttempt,
  PasswordChange,
  ProfileSettings,
  Registration,
  writePermissions,
} from '@zonewright/core';
import { ok } from 'neverthrow';
import { z } from 'zod';
import { limitsOf } from '../../http/limits.ts';
import { protectedRoute, publicRoute, sessionRoute } from '../../http/route.ts';
import { presentRegistration, registrationAnswer } from '../../present/accounts/registration.ts';
import { presentProfile, presentUser, profileResource, userNames, userResource } from '../../present/accounts/user.ts';
import { message, presentMessage } from '../../present/message.ts';
import { passwordResetAnswer, presentPasswordReset } from '../../present/password-reset.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { userParameter } from '../parameters.ts';
import { authBody, badRequest, smallBody, tokenBody } from '../row-members.ts';

const hoursOf = (purpose: keyof typeof mailedTokenLifetimeSeconds) => mailedTokenLifetimeSeconds[purpose] / (60 * 60);

const RegistrationBody = Registration.extend(userNames);
const EmailBody = z.object({ email: Email });

const TokenBody = tokenBody(
  `The token from the verification e-mail; works once and is valid for ${hoursOf('verify-email')} hours.`,
);
const ResetBody = tokenBody(
  `The token from the e-mail; works once and is valid for ${hoursOf('reset-password') * 60} minutes.`,
).extend({
  password: Password,
  revokeApiTokens: z
    .boolean()
    .optional()
    .meta({ description: 'Whether to revoke all API tokens as well. If it is sent, the response says what is left.' }),
});
const PasswordBody = PasswordChange.extend({
  currentPassword: PasswordAttempt.meta({
    format: 'password',
    description: 'The current password; omitted for accounts that have none.',
    examples: ['Old-Horse-7'],
  }).optional(),
});
const ProfileBody = ProfileSettings.extend(userNames);
const readOnly = readOnlyMembers(profileResource);

export const accountRoutes = [
  publicRoute({
    method: 'post',
    path: '/api/auth/register',
    cost: 'constant',
    summary: 'Register an account.',
    description:
      'Sends an e-mail with a verification link; the user cannot sign in until the address is verified. The user ' +
      'gets an organization of their own, so that zones can be created right away. If an address cannot be ' +
      'registered, the error does not say why. Registrations are limited per network.',
    answers: registrationAnswer,
    ...authBody(RegistrationBody),
    errors: ['EmailTaken', 'PasswordTooCommon'],
    limits: ({ client }) => limitsOf.register(client),
    run: ({ body, client, useCases }) => useCases.register(body, client),
    present: presentRegistration,
    problems: { ...badRequest, PasswordTooCommon: { status: 400 } },
  }),
  // The responses to requests for mails do not reveal whether an address has an account.
  publicRoute({
    method: 'post',
    path: '/api/auth/resend-verification',
    cost: 'constant',
    summary: 'Request another verification e-mail.',
    description:
      'The response is the same for every address, whether or not an account is waiting to be verified. The token ' +
      'from an earlier e-mail stops working. Requests are limited per network, and per address and network.',
    answers: message,
    ...authBody(EmailBody),
    limits: ({ body, client }) =>
      limitsOf.resendVerification({ emailKey: emailKey(body.email), network: client.network }),
    run: ({ body, client, useCases }) => useCases.requestMail('verify-email', body.email, client),
    present: () =>
      presentMessage('If the address belongs to an account that is not yet verified, we have sent an e-mail.'),
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/forgot-password',
    cost: 'constant',
    summary: 'Request a password reset e-mail.',
    description:
      'The response is the same for every address, whether or not it belongs to an account. The token from an ' +
      'earlier e-mail stops working. Requests are limited per network, and per address and network.',
    answers: message,
    ...authBody(EmailBody),
    limits: ({ body, client }) => limitsOf.forgotPassword({ emailKey: emailKey(body.email), network: client.network }),
    run: ({ body, client, useCases }) => useCases.requestMail('reset-password', body.email, client),
    present: () => presentMessage('If the address belongs to an account, we have sent an e-mail.'),
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/reset-password',
    cost: 'constant',
    summary: 'Reset the password with a token from an e-mail.',
    description:
      'Ends every session of the user. API tokens stay valid, unless `revokeApiTokens` is true; with `false`, ' +
      'the response names them. An authenticator app that was enabled within the last 7 days by a session that had not confirmed is ' +
      'removed. If the new password is rejected, the token can be used again. Attempts with invalid tokens are ' +
      'limited per network.',
    answers: passwordResetAnswer,
    ...authBody(ResetBody),
    errors: ['MailedTokenInvalid', 'PasswordTooCommon'],
    limits: ({ client }) => limitsOf.resetPassword(client),
    run: ({ body: { token, password, revokeApiTokens }, client, useCases }) =>
      useCases.resetPassword(token, password, client, { revokeApiTokens: revokeApiTokens === true }),
    present: (reset, { body }) => presentPasswordReset(reset, body.revokeApiTokens !== undefined),
    problems: { ...badRequest, PasswordTooCommon: { status: 400 }, AccountNotFound: { status: 400 } },
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/verify-email',
    cost: 'constant',
    summary: 'Verify an e-mail address.',
    description: 'Does not sign the user in. Attempts with invalid tokens are limited per network.',
    answers: message,
    ...authBody(TokenBody),
    errors: ['MailedTokenInvalid'],
    limits: ({ client }) => limitsOf.verifyEmail(client),
    run: ({ body, client, useCases }) => useCases.verifyEmail(body.token, client),
    present: () => presentMessage('E-mail address verified. You can now log in.'),
  }),
  protectedRoute({
    method: 'get',
    path: '/api/users/me',
    cost: 'constant',
    permission: 'any token',
    summary: 'Read your own profile.',
    description: 'The profile of the authenticated user.',
    answers: item(profileResource),
    errors: ['AccountNotFound'],
    subject: () => ({ kind: 'profile' }),
    run: ({ caller, useCases }) => useCases.readProfile(caller),
    present: (profile) => ({ body: presentProfile(profile) }),
  }),
  protectedRoute({
    method: 'patch',
    path: '/api/users/me',
    cost: 'constant',
    permission: writePermissions,
    summary: 'Change your own profile.',
    description:
      'Only the names can be changed here; the password has an operation of its own. An API token needs any permission to write.',
    answers: item(profileResource),
    accepts: mergePatchOn(ProfileBody),
    errors: ['AccountNotFound'],
    body: (body) => ok(writableMembers(body, readOnly)),
    run: ({ caller, body, expected, useCases }) => useCases.updateProfile(caller, body, expected),
    present: (profile) => ({ body: presentProfile(profile) }),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/users/me/password',
    cost: 'constant',
    summary: 'Change your password.',
    description:
      'Ends every other session; API tokens stay valid. A first password needs a confirmed session. Wrong ones are limited.',
    answers: message,
    ...smallBody(PasswordBody),
    errors: ['WrongCurrentPassword', 'PasswordTooCommon', 'ConfirmationRequired'],
    idempotencyKey: 'ignored',
    limits: ({ caller }) => limitsOf.currentPassword(caller),
    run: ({ caller, body, useCases }) => useCases.changePassword(caller, body),
    present: () => presentMessage('Password changed. All other sessions have been ended.'),
  }),
  protectedRoute({
    method: 'get',
    path: '/api/users/:id',
    cost: 'constant',
    permission: 'members:read',
    summary: 'Read a user.',
    description: 'You can read yourself and users with whom you share an organization.',
    answers: item(userResource),
    errors: ['UserNotShared'],
    params: userParameter,
    run: ({ caller, params, useCases }) => useCases.readUser(caller, params.id),
    present: (user) => ({ body: presentUser(user) }),
  }),
];
