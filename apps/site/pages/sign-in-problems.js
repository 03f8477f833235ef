/** What the last segment of a problem type means to people who come back from a provider. */
const texts = /** @type {Record<string, string>} */ ({
  'provider-unavailable': 'The provider does not answer at the moment. Try again later, or sign in another way.',
  'provider-refused': 'What the provider said does not prove who you are. Try again, or sign in another way.',
  'sign-in-declined': 'The provider did not let you in. Try again and agree there, or sign in another way.',
  'flow-invalid': 'This took longer than ten minutes, or was begun in another window. Please try again.',
  'account-exists':
    'There is an account with your address already. Sign in as you did before; then you can connect the provider in your profile.',
  'no-verified-address': 'The provider has not verified an e-mail address of yours. Verify it there, then try again.',
  'domain-not-allowed': 'Addresses of your domain may not sign in by this provider.',
  'identity-taken': 'That identity is connected to another account. Sign in to that account and disconnect it first.',
  'provider-already-linked': 'Your account is connected to this provider already. Disconnect that identity first.',
  inactive: 'Your account is not active. Ask the operator of this service.',
  'too-many-requests': 'Too many attempts. Try again in a few minutes.',
});

/**
 * Explains why signing in by a provider did not work.
 * @param {string} slug The last segment of the problem type.
 */
export const textOf = (slug) =>
  (Object.hasOwn(texts, slug) ? texts[slug] : undefined) ?? 'That did not work. Please try again.';
