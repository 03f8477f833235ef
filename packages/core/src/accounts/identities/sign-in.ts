import { err, errAsync, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { type Email, emailKey } from '../../kernel/mail/email.ts';
import type { Client } from '../../kernel/shared/client.ts';
import { IdentityId, UserId } from '../../kernel/shared/ids.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { TokenHashes } from '../../kernel/shared/token-hash.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { secondFactorsOf } from '../../organizations/access/second-factor.ts';
import { recordFor, recordRefusal } from '../../organizations/audit/record.ts';
import { OrganizationName } from '../../organizations/organizations/organization.ts';
import { type AccountInactive, accountInactive } from '../accounts/errors.ts';
import { type OpenedSession, openSession, openSessionAlone, tokensOf } from '../sessions/open-session.ts';
import type { AccessTokens } from '../sessions/ports.ts';
import type { AuthenticationMethod } from '../sessions/session.ts';
import { issueChallenge } from '../sign-in/issue-challenge.ts';
import type { LoggedIn } from '../sign-in/log-in.ts';
import {
  type AccountExists,
  accountExists,
  type DomainNotAllowed,
  type NoVerifiedAddress,
  noVerifiedAddress,
} from './errors.ts';
import { type Attestation, requireAdmitted, type SignInProvider } from './identity.ts';
import { namesOf } from './names.ts';
import type { IdentifiedAccount } from './ports.ts';
import type { IdentityRepositories } from './repositories.ts';

/** Why somebody whom a provider attests does not get in. */
export type SignInError = AccountInactive | AccountExists | NoVerifiedAddress | DomainNotAllowed;

/** What a sign-in by a provider needs. */
export type SignInPorts = {
  readonly accessTokens: AccessTokens;
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
};

/** Somebody whom a provider has attested. */
export interface Attested {
  readonly provider: SignInProvider;
  readonly attestation: Attestation;
}

/** Another unit changed the account after it was read: it is to be read again. */
const accountChanged = () => ({ type: 'AccountChanged' }) as const;
type AccountChanged = ReturnType<typeof accountChanged>;

/** Only needed if the account changes between two statements. */
const maxRetries = 3;

/**
 * Signs in whom a provider has attested: to the account of the identity, or else to a new account with the verified
 * address. An address that an account already has never leads to it.
 */
export const signInBy = (
  ports: SignInPorts & { readonly unitOfWork: UnitOfWork<IdentityRepositories> },
  attested: Attested,
  client: Client,
  retries = maxRetries,
): ResultAsync<LoggedIn, SignInError> =>
  requireAdmitted(attested.provider, attested.attestation)
    .asyncAndThen(() => ports.unitOfWork.single(({ identities }) => identities.use(attested.attestation)))
    .andThen((account) =>
      account === undefined ? registered(ports, attested, client) : entered(ports, account, attested, client),
    )
    .orElse((refused) => {
      if (refused.type !== 'AccountChanged') return errAsync<LoggedIn, SignInError>(refused);
      return retries === 0
        ? // The address is free only at first sight, for example because its account has just left it.
          errAsync<LoggedIn, SignInError>(accountExists())
        : signInBy(ports, attested, client, retries - 1);
    });

const methodsOf = ({ isMultiFactor }: Attestation): readonly AuthenticationMethod[] =>
  isMultiFactor ? ['fed', 'mfa'] : ['fed'];

/** Opens a session of the identity's account, or a challenge if its second factor is still to be shown. */
const entered = (
  ports: SignInPorts & { readonly unitOfWork: UnitOfWork<IdentityRepositories> },
  account: IdentifiedAccount,
  { attestation }: Attested,
  client: Client,
): ResultAsync<LoggedIn, AccountInactive | AccountChanged> => {
  const { userId, credentialsVersion, provider } = account;
  if (account.standing === 'inactive') {
    return recordRefusal(ports)(userId, client, 'login.inactive', { provider }).andThen(() => err(accountInactive()));
  }
  const methods = secondFactorsOf(account);
  if (methods.length > 0 && !attestation.isMultiFactor) {
    return issueChallenge(ports, account, client)
      .map((challengeToken): LoggedIn => ({ outcome: 'challenge', challengeToken, methods }))
      .mapErr(accountChanged);
  }
  const proof = { userId, credentialsVersion, provider, methods: methodsOf(attestation) };
  return openSessionAlone(ports, proof, client)
    .map((opened) => loggedIn(ports, opened))
    .mapErr(accountChanged);
};

const loggedIn = (ports: SignInPorts, opened: OpenedSession): LoggedIn => ({
  outcome: 'session',
  tokens: tokensOf(ports, opened),
});

/**
 * Creates an account for the identity, with a personal organization and without a password, and opens its first session,
 * atomically. An account with the address that was never verified is replaced: anybody can have registered it.
 */
const registered = (
  ports: SignInPorts & { readonly unitOfWork: UnitOfWork<IdentityRepositories> },
  { provider, attestation }: Attested,
  client: Client,
): ResultAsync<LoggedIn, SignInError | AccountChanged> =>
  ports.unitOfWork
    .run((repositories) =>
      safeTry(async function* () {
        const { email } = attestation;
        if (email === undefined) return err(noVerifiedAddress());
        yield* vacate(repositories, attestation, email);
        const [userId, id] = [UserId.parse(ports.randomness.uuid()), IdentityId.parse(ports.randomness.uuid())];
        const { firstName, lastName } = namesOf(attestation, email);
        const { accounts, identities, organizations } = repositories;
        const added = { id: userId, email, firstName, lastName, passwordHash: undefined };
        yield* accounts.add(added).mapErr(accountChanged);
        yield* accounts.markEmailVerified(userId, emailKey(email)).mapErr(accountChanged);
        yield* organizations.create({ name: OrganizationName.parse(`${firstName} ${lastName}`), owner: userId });
        const { issuer, subject } = attestation;
        const identity = { id, userId, provider: provider.id, issuer, subject, email };
        yield* identities.link(identity).mapErr(accountChanged);
        yield* recordFor(repositories, userId, client, 'account.registered', { identity: id, provider: provider.id });
        const { credentialsVersion } = yield* accounts.facts(userId).mapErr(accountChanged);
        const proof = { userId, credentialsVersion, provider: provider.id, methods: methodsOf(attestation) };
        return openSession(repositories, ports, proof, client).mapErr(accountChanged);
      }),
    )
    .map((opened) => loggedIn(ports, opened));

/**
 * Makes the address free for the account of its owner, whom the provider has verified. Another flow of the same person
 * may just have created that account: then it is the identity's.
 */
const vacate = (
  {
    accounts,
    identities,
    unverifiedAccounts,
  }: Pick<IdentityRepositories, 'accounts' | 'identities' | 'unverifiedAccounts'>,
  attestation: Attestation,
  email: Email,
): ResultAsync<void, AccountExists | AccountInactive | AccountChanged> =>
  accounts
    .factsByEmail(emailKey(email))
    .andThen((facts): ResultAsync<void, AccountExists | AccountInactive | AccountChanged> => {
      if (facts === undefined) return okAsync();
      if (facts.emailVerified) {
        return identities
          .use(attestation)
          .andThen((account) => err(account === undefined ? accountExists() : accountChanged()));
      }
      return facts.blocked ? errAsync(accountInactive()) : unverifiedAccounts.remove(facts.userId);
    });
