import { err, ok, type Result } from 'neverthrow';
import type { Email } from '../../kernel/mail/email.ts';
import { type NewPasswordMember, type PasswordTooCommon, passwordTooCommon } from './errors.ts';
import type { Password } from './password.ts';

/** Common passwords that satisfy the password rules but must not be used; the operator provides the list. */
export interface PasswordBlocklist {
  /** Undefined: no list is configured. */
  readonly entries: ReadonlySet<string> | undefined;
}

/**
 * Rejects a password that is on the blocklist or equals the account's own address. Without a blocklist, accepts
 * everything.
 */
export function requireUncommon(
  { entries }: PasswordBlocklist,
  password: Password,
  email: Email | undefined,
  member: NewPasswordMember = 'password',
): Result<Password, PasswordTooCommon> {
  if (entries === undefined) return ok(password);
  const folded = password.toLowerCase();
  const isCommon = entries.has(folded) || folded === email?.toLowerCase();
  return isCommon ? err(passwordTooCommon(member)) : ok(password);
}
