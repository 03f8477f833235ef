import {
  type Accounts,
  type CredentialId,
  type Identities,
  IdentityId,
  PasskeyId,
  PasskeyName,
  type Passkeys,
  type PasswordHash,
  PersonName,
  ProviderId,
  Registration,
  type TotpSecret,
} from '@zonewright/core';
import type { Added } from './added.ts';
import { anEmail, aUserId, unique, uuid } from './ids.ts';

/** A password hash; storage treats hashes as opaque texts, so any text is one. */
export const aPasswordHash = (text = 'hash of Secret123'): PasswordHash => text as PasswordHash;

/** A secret of a second factor; storage treats secrets as opaque texts, so any text is one. */
export const aTotpSecret = (): TotpSecret => `SECRET${unique()}` as TotpSecret;

/** The argument of `Accounts.add`. */
export type NewAccount = Added<Accounts['add']>;

/** An account with a password. */
export const anAccount = (given: Partial<NewAccount> = {}): NewAccount => ({
  id: aUserId(),
  email: anEmail(),
  firstName: PersonName.parse('Ada'),
  lastName: PersonName.parse('Lovelace'),
  passwordHash: aPasswordHash(),
  ...given,
});

/** The argument of `Identities.link`. */
export type NewIdentity = Added<Identities['link']>;

/** An identity of the provider `corp`. */
export const anIdentity = (given: Partial<NewIdentity> & Pick<NewIdentity, 'userId'>): NewIdentity => ({
  id: IdentityId.parse(uuid()),
  provider: ProviderId.parse('corp'),
  issuer: `https://${given.provider ?? 'corp'}.example`,
  subject: `subject-${unique()}`,
  email: undefined,
  ...given,
});

/** The body of a registration. */
export const aRegistration = (email: string): Registration =>
  Registration.parse({ email, password: 'Secret123', firstName: 'Ada', lastName: 'Lovelace' });

/** The argument of `Passkeys.add`. */
export type NewPasskey = Added<Passkeys['add']>;

/** A passkey of an authenticator that counts, never used. */
export const aPasskey = (given: Partial<NewPasskey> & Pick<NewPasskey, 'userId'>): NewPasskey => ({
  id: PasskeyId.parse(uuid()),
  credentialId: `credential-${unique()}` as CredentialId,
  name: PasskeyName.parse(`passkey ${unique()}`),
  publicKey: `key-${unique()}`,
  counter: 0,
  transports: ['internal'],
  backedUp: false,
  ...given,
});
