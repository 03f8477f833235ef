import { cookieNames, list, redirect } from '@zonewright/api-description';
import {
  type CompletedFlow,
  defaultReturnPath,
  flowLifetimeSeconds,
  type LoggedIn,
  ReturnPath,
  type StartedFlow,
} from '@zonewright/core';
import { z } from 'zod';
import type { PresentedAnswer } from '../../http/answer.ts';
import { challengeCookie, clearedFlowCookie, flowCookie, sessionCookies } from '../../http/cookies.ts';
import { limitsOf } from '../../http/limits.ts';
import { PageQuery } from '../../http/query.ts';
import { signInPage } from '../../http/refusals.ts';
import { publicRoute, sessionRoute } from '../../http/route.ts';
import {
  identityResource,
  presentIdentities,
  presentProviders,
  providerResource,
  startedLink,
} from '../../present/accounts/identity.ts';
import { presentSignIn, signIn } from '../../present/accounts/session-tokens.ts';
import { identityParameter, providerParameter } from '../parameters.ts';
import { authBody, badRequest, noContent } from '../row-members.ts';

const returnTo = ReturnPath.meta({
  description: `A path of this service to return to; \`${defaultReturnPath}\` by default.`,
  examples: ['/'],
}).optional();

const StartQuery = z.object({ returnTo });
const LinkBody = z.object({ returnTo });

const parameterOfProvider = (description: string) => z.string().max(8192).optional().meta({ description });
const CallbackQuery = z.object({
  code: parameterOfProvider('The authorization code.'),
  state: parameterOfProvider('The state of the flow.'),
  iss: parameterOfProvider('The issuer (RFC 9207).'),
  error: parameterOfProvider('Why the provider let nobody in (RFC 6749 section 4.1.2.1).'),
});

const secret = (description: string) =>
  z
    .string()
    .min(1)
    .max(8192)
    .meta({ description, examples: ['…'] });
const GrantBody = z.object({
  code: secret('The authorization code that your page or program has received.'),
  codeVerifier: secret('The PKCE verifier of the flow (RFC 7636).'),
  redirectUri: secret('The address it was sent to; the operator has registered it.'),
  nonce: secret('The nonce of the flow; without meaning for GitHub.'),
});

/** Errors after the provider has answered. */
const signInErrors = [
  'ProviderUnavailable',
  'AttestationRefused',
  'SignInDeclined',
  'FlowInvalid',
  'AccountInactive',
  'AccountExists',
  'NoVerifiedAddress',
  'DomainNotAllowed',
] as const;

/** The slug for the page that people see. */
const asPeopleSee = { AccountInactive: { slug: 'inactive' } } as const;

export const identityRoutes = [
  publicRoute({
    method: 'get',
    path: '/api/auth/providers',
    cost: 'constant',
    summary: 'List the providers to sign in by.',
    description: 'In the order of the configuration. Empty if the operator has configured none.',
    answers: list(providerResource),
    query: PageQuery,
    run: ({ query, useCases }) => useCases.listProviders(query),
    present: (providers, { query }) => ({ body: presentProviders(providers, query) }),
  }),
  publicRoute({
    method: 'get',
    path: '/api/auth/providers/:id/start',
    cost: 'constant',
    summary: 'Begin to sign in by a provider.',
    description:
      `For browsers: sends them to the provider. What must be remembered for ${flowLifetimeSeconds / 60} minutes is in ` +
      `the cookie \`${cookieNames.flow}\`, encrypted; there is one flow at a time. Limited per network.`,
    answers: redirect('To the provider.'),
    errors: ['ProviderUnavailable', 'MethodNotAllowed'],
    cookies: { sets: ['flow'] },
    changesState: true,
    params: providerParameter,
    query: StartQuery,
    limits: ({ client }) => limitsOf.refresh(client),
    run: ({ params, query, useCases }) => useCases.startSignIn(params.id, query.returnTo),
    present: ({ url, sealed }: StartedFlow) => ({ location: url, cookies: [flowCookie(sealed)] }),
    problems: badRequest,
  }),
  publicRoute({
    method: 'get',
    path: '/api/auth/providers/:id/callback',
    cost: 'constant',
    summary: 'Come back from a provider.',
    description:
      'For browsers: the address to register at the provider. Signs in and returns to the path given at the start, with ' +
      `the cookies of a login; or links the identity. If a second factor is due, returns to \`${signInPage}#challenge\` ` +
      `with the cookie \`${cookieNames.challenge}\`, and after every refusal to \`${signInPage}#problem=…\`, with the ` +
      'last segment of the problem type. A flow is completed once. Requests are limited per network.',
    answers: redirect('To where the flow began, or to the page for signing in.'),
    errors: [...signInErrors, 'MethodNotAllowed', 'IdentityTaken', 'ProviderAlreadyLinked', 'ProviderNotFound'],
    cookies: { reads: ['flow'], sets: ['accessToken', 'refreshToken', 'challenge', 'flow'] },
    changesState: true,
    refusals: 'redirected',
    params: providerParameter,
    query: CallbackQuery,
    // A state cannot be guessed: this limits load, and costs no statement.
    limits: ({ client }) => limitsOf.refresh(client),
    run: ({ params, query, credentials, client, useCases }) =>
      useCases.completeFlow(
        {
          provider: params.id,
          answer: query,
          sealed: credentials.flowCookie(),
          accessToken: credentials.accessTokenCookie(),
        },
        client,
      ),
    present: presentCompleted,
    problems: asPeopleSee,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/providers/:id/token',
    cost: 'constant',
    summary: 'Sign in with a code of a provider.',
    description:
      'For programs, and for pages of other origins, that have run the flow themselves, with PKCE and a nonce. A code ' +
      'works once. Answers like a login. Refused codes are limited per network.',
    answers: signIn,
    ...authBody(GrantBody),
    errors: signInErrors,
    cookies: { sets: ['accessToken', 'refreshToken', 'challenge'] },
    params: providerParameter,
    limits: ({ client }) => limitsOf.logInByProvider(client),
    run: ({ params, body, client, useCases }) => useCases.redeemCode(params.id, body, client),
    present: (done: LoggedIn) => presentSignIn(done),
  }),
  sessionRoute({
    method: 'get',
    path: '/api/users/me/providers',
    cost: 'constant',
    summary: 'List your linked identities.',
    description: 'Sorted by the id of the provider.',
    answers: list(identityResource),
    query: PageQuery,
    run: ({ caller, query, useCases }) => useCases.listIdentities(caller, query),
    present: (identities, { query }) => ({ body: presentIdentities(identities, query) }),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/users/me/providers/:id/start',
    cost: 'constant',
    summary: 'Begin to link a provider.',
    description:
      'Send the browser to the URL; it comes back signed in as before. Only this session can complete it. An account ' +
      'has one identity of each provider.',
    answers: startedLink,
    ...authBody(LinkBody),
    errors: ['ProviderNotFound', 'ProviderUnavailable', 'ConfirmationRequired'],
    cookies: { sets: ['flow'] },
    bodyOptional: true,
    idempotencyKey: 'ignored',
    params: providerParameter,
    run: ({ caller, params, body, useCases }) => useCases.startLink(caller, params.id, body.returnTo),
    present: ({ url, sealed }: StartedFlow) => ({ body: { url }, cookies: [flowCookie(sealed)] }),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/providers/:id',
    cost: 'constant',
    summary: 'Unlink a provider.',
    description: 'Ends the sessions that came from it, even the current one.',
    ...noContent,
    errors: ['ConfirmationRequired', 'IdentityNotFound', 'LastCredential'],
    params: identityParameter,
    run: ({ caller, params, useCases }) => useCases.unlinkIdentity(caller, params.id),
  }),
];

function presentCompleted({ returnTo: location, loggedIn }: CompletedFlow): PresentedAnswer {
  const cookies = [clearedFlowCookie()];
  if (loggedIn === undefined) return { location, cookies };
  return loggedIn.outcome === 'session'
    ? { location, cookies: [...cookies, ...sessionCookies(loggedIn.tokens)] }
    : { location: `${signInPage}#challenge`, cookies: [...cookies, challengeCookie(loggedIn.challengeToken)] };
}
