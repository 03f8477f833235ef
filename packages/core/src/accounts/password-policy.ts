import { err, ok, type Result } from 'neverthrow';
import type { Email } from '../mail/email.ts';
import { type NewPasswordMember, type PasswordTooCommon, passwordTooCommon } from './errors.ts';
import type { Password } from './password.ts';

/** Passwords that keep the rules but that everybody tries first, as their operator lists them. */
export interface PasswordBlocklist {
  /** Undefined: no list is configured, and no password is refused for being common. */
  readonly entries: ReadonlySet<string> | undefined;
}

/** Refuses a listed password, and the account's own address as its password; without a list, nothing. */
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
