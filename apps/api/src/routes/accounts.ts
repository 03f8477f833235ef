import {
  type ChangePassword,
  Email,
  emailKey,
  type JsonObject,
  MailedToken,
  Password,
  PasswordChange,
  parse,
  type ReadProfile,
  type ReadUser,
  type Register,
  Registration,
  type RequestMail,
  type ResetPassword,
  type UpdateProfile,
  type VerifyEmail,
} from '@zonewright/core';
import { ok } from 'neverthrow';
import { z } from 'zod';
import { bodyLimits } from '../http/body.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { limitsOf } from '../http/rate-limits.ts';
import { writableMembers } from '../http/resource-body.ts';
import { badRequest, protectedRoute, publicRoute, sessionRoute } from '../http/route.ts';
import { presentProfile, presentUser } from '../present/user.ts';
import { userParameter } from './parameters.ts';

export interface AccountUseCases {
  readonly register: Register;
  readonly verifyEmail: VerifyEmail;
  readonly requestMail: RequestMail;
  readonly resetPassword: ResetPassword;
  readonly readProfile: ReadProfile;
  readonly updateProfile: UpdateProfile;
  readonly changePassword: ChangePassword;
  readonly readUser: ReadUser;
}

const EmailBody = z.object({ email: Email });
const TokenBody = z.object({ token: MailedToken });
const ResetBody = z.object({ token: MailedToken, password: Password });

export const accountRoutes = (useCases: AccountUseCases) => [
  ...openAccountRoutes(useCases),
  ...profileRoutes(useCases),
];

const openAccountRoutes = ({ register, verifyEmail, requestMail, resetPassword }: AccountUseCases) => [
  publicRoute({
    method: 'post',
    path: '/api/auth/register',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(Registration, body),
    limits: ({ client }) => limitsOf.register(client),
    run: ({ body, client }) => register(body, client),
    present: ({ id }) => ({
      status: 201,
      body: { message: 'Registration successful. Please check your e-mail to verify your account.', id },
    }),
    problems: { ...badRequest, PasswordTooCommon: { status: 400 } },
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/resend-verification',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(EmailBody, body),
    limits: ({ body, client }) =>
      limitsOf.resendVerification({ emailKey: emailKey(body.email), network: client.network }),
    run: ({ body, client }) => requestMail('verify-email', body.email, client),
    present: () => ({
      status: 200,
      body: { message: 'If the address belongs to an account that is not verified, a mail is on its way.' },
    }),
    problems: badRequest,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/forgot-password',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(EmailBody, body),
    limits: ({ body, client }) => limitsOf.forgotPassword({ emailKey: emailKey(body.email), network: client.network }),
    run: ({ body, client }) => requestMail('reset-password', body.email, client),
    present: () => ({ status: 200, body: { message: 'If the address belongs to an account, a mail is on its way.' } }),
    problems: badRequest,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/reset-password',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(ResetBody, body),
    limits: ({ client }) => limitsOf.resetPassword(client),
    run: ({ body, client }) => resetPassword(body.token, body.password, client),
    present: () => ({ status: 200, body: { message: 'Password changed. All sessions have been ended.' } }),
    problems: { ...badRequest, PasswordTooCommon: { status: 400 }, AccountNotFound: { status: 400 } },
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/verify-email',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(TokenBody, body),
    limits: ({ client }) => limitsOf.verifyEmail(client),
    run: ({ body, client }) => verifyEmail(body.token, client),
    present: () => ({ status: 200, body: { message: 'E-mail address verified. You can log in now.' } }),
    problems: badRequest,
  }),
];

const profileRoutes = ({ readProfile, updateProfile, changePassword, readUser }: AccountUseCases) => [
  protectedRoute({
    method: 'get',
    path: '/api/users/me',
    formats: formats.linkedFirst,
    run: ({ caller }) => readProfile(caller.userId),
    present: (profile) => ({ status: 200, body: presentProfile(profile) }),
  }),
  protectedRoute({
    method: 'patch',
    path: '/api/users/me',
    formats: formats.linkedFirst,
    consumes: [mediaTypes.mergePatch],
    body: (body) => ok(profileMembers(body)),
    run: ({ caller, body, expected }) => updateProfile(caller, body, expected),
    present: (profile) => ({ status: 200, body: presentProfile(profile) }),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/users/me/password',
    bodyLimit: bodyLimits.small,
    idempotencyKey: 'ignored',
    body: (body) => parse(PasswordChange, body),
    limits: ({ caller }) => limitsOf.currentPassword(caller),
    run: ({ caller, body }) => changePassword(caller, body),
    present: () => ({ status: 200, body: { message: 'Password changed. All other sessions have been ended.' } }),
  }),
  protectedRoute({
    method: 'get',
    path: '/api/users/:id',
    formats: formats.linkedFirst,
    params: userParameter,
    run: ({ caller, params }) => readUser(caller, params.id),
    present: (user) => ({ status: 200, body: presentUser(user) }),
  }),
];

const profileMembers = (body: JsonObject): JsonObject =>
  writableMembers(body, [
    'id',
    'email',
    'active',
    'emailVerified',
    'hasPassword',
    'connectedProviders',
    'twoFactorEnabled',
    'twoFactorEnforced',
    'createdAt',
    'updatedAt',
  ]);
