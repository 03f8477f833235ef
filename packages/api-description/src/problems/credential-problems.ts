import { conflict, notFound, type Problem, problem } from './problem.ts';

/** Problems of second factors, passkeys and sign-ins by providers, a part of `problems`. */
export const credentialProblems = {
  TwoFactorAlreadyEnabled: conflict(
    'two-factor-already-enabled',
    'Two-factor authentication is already enabled.',
    'To set up two-factor authentication again, disable it first.',
    { title: 'Two-factor authentication is on' },
  ),
  TwoFactorNotPending: conflict(
    'two-factor-not-pending',
    'There is no two-factor setup to confirm.',
    'Start the setup at POST /api/2fa/setup and confirm it within 15 minutes.',
    { title: 'No setup to confirm' },
  ),
  TwoFactorNotEnabled: conflict(
    'two-factor-not-enabled',
    'Two-factor authentication is not enabled.',
    'Set up two-factor authentication first, at POST /api/2fa/setup.',
    { title: 'Two-factor authentication is off' },
  ),
  PasskeyRefused: problem(401, 'passkey-refused', 'The passkey was not accepted.', 'Get new options, and try again.'),
  PasskeyNotFound: notFound('You have no such passkey.'),
  LastCredential: conflict(
    'last-credential',
    'Nothing would be left to sign in with.',
    'Set a password, add another passkey or link an identity provider first.',
  ),
  ProviderNotFound: notFound('There is no such provider.'),
  ProviderUnavailable: problem(
    503,
    'provider-unavailable',
    'The provider does not answer at the moment.',
    'Try again later, or sign in another way.',
  ),
  AttestationRefused: problem(
    401,
    'provider-refused',
    'What the provider said does not prove who signed in.',
    'Begin again. If it keeps happening, the operator finds the reason in the log.',
    { title: 'Answer of the provider refused' },
  ),
  SignInDeclined: problem(
    401,
    'sign-in-declined',
    'The provider did not let you in.',
    'Begin again and agree at the provider, or sign in another way.',
  ),
  FlowInvalid: problem(
    400,
    'flow-invalid',
    'This sign-in was not begun here, took longer than ten minutes, or is over.',
    'Begin again, in one window.',
    { title: 'Sign-in no longer valid' },
  ),
  AccountExists: conflict(
    'account-exists',
    'An account has this address already.',
    'Sign in as before, and link the provider in your profile.',
  ),
  NoVerifiedAddress: problem(
    403,
    'no-verified-address',
    'The provider has verified no address of yours.',
    'Verify your address at the provider, then try again.',
  ),
  DomainNotAllowed: problem(
    403,
    'domain-not-allowed',
    'Addresses of this domain may not sign in by this provider.',
    'Sign in with the account that your organization has given you.',
  ),
  IdentityTaken: conflict(
    'identity-taken',
    'This identity is linked to another account.',
    'Sign in by it, and unlink it there first.',
  ),
  ProviderAlreadyLinked: conflict(
    'provider-already-linked',
    'Your account has another identity of this provider.',
    'Unlink that one first.',
  ),
  IdentityNotFound: notFound('There is no such linked identity.'),
  ProviderRequired: problem(
    403,
    'provider-required',
    'The organization requires you to sign in by a certain provider.',
    'Sign in by the provider named in provider.',
  ),
  OwnProviderMissing: conflict(
    'own-provider-missing',
    'Link the provider to your own account first.',
    'Link it in your profile, then try again.',
    { title: 'Provider not linked' },
  ),
} satisfies Readonly<Record<string, Problem>>;
