import { MailedToken, parse, type ReadProfile, type Register, Registration, type VerifyEmail } from '@zonewright/core';
import { z } from 'zod';
import { bodyLimits } from '../http/body.ts';
import { formats } from '../http/negotiation.ts';
import { badRequest, protectedRoute, publicRoute } from '../http/route.ts';
import { presentProfile } from '../present/user.ts';

export interface AccountUseCases {
  readonly register: Register;
  readonly verifyEmail: VerifyEmail;
  readonly readProfile: ReadProfile;
}

const VerifyEmailBody = z.object({ token: MailedToken });

export const accountRoutes = ({ register, verifyEmail, readProfile }: AccountUseCases) => [
  publicRoute({
    method: 'post',
    path: '/api/auth/register',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(Registration, body),
    run: ({ body }) => register(body),
    present: ({ id }) => ({
      status: 201,
      body: { message: 'Registration successful. Please check your e-mail to verify your account.', id },
    }),
    problems: badRequest,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/verify-email',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(VerifyEmailBody, body),
    run: ({ body }) => verifyEmail(body.token),
    present: () => ({ status: 200, body: { message: 'E-mail address verified. You can log in now.' } }),
    problems: badRequest,
  }),
  protectedRoute({
    method: 'get',
    path: '/api/users/me',
    formats: formats.linkedFirst,
    run: ({ caller }) => readProfile(caller.userId),
    present: (profile) => ({ status: 200, body: presentProfile(profile) }),
  }),
];
