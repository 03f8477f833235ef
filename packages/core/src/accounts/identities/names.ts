import type { Email } from '../../kernel/mail/email.ts';
import { PersonName, type Profile } from '../accounts/account.ts';
import type { Attestation } from './identity.ts';

/**
 * The names of a new account: those that the provider has, or else the parts of the address, which always make valid
 * names. The owner can change them.
 */
export function namesOf(
  { givenName, familyName, fullName }: Pick<Attestation, 'givenName' | 'familyName' | 'fullName'>,
  email: Email,
): Pick<Profile, 'firstName' | 'lastName'> {
  const [local = '', domain = ''] = email.split('@');
  const [first, ...others] = words(fullName);
  return {
    firstName: firstValid([givenName, first, local]),
    lastName: firstValid([familyName, others.join(' '), domain, local]),
  };
}

/** At most 1000 characters are looked at. */
const words = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .slice(0, 1000)
    .split(/\s/)
    .filter((word) => word !== '');

function firstValid(candidates: readonly (string | undefined)[]): PersonName {
  for (const candidate of candidates) {
    const name = PersonName.safeParse(Array.from(words(candidate).join(' ')).slice(0, 100).join(''));
    if (name.success) return name.data;
  }
  throw new Error('The local part of an address is a valid name.');
}
