import { z } from 'zod';
import { coded } from '../shared/parse.ts';

const atom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;

/**
 * An e-mail address as stored: ASCII, dot-atom local part, a domain with at least one dot (internationalized domains as
 * A-labels; RFC 5321 section 4.1.2, narrowed). It is never normalized, so mail goes to exactly the address that was
 * checked.
 */
export const Email = z
  .string()
  .max(180)
  .refine(isAddress, coded('email.syntax', 'This value is not a valid e-mail address.'))
  .meta({ format: 'email', description: 'E-mail address.' })
  .brand<'Email'>();
export type Email = z.infer<typeof Email>;

/** The form in which addresses are compared: ASCII case is ignored. */
export type EmailKey = string & z.$brand<'EmailKey'>;
// The only place that creates keys.
export const emailKey = (email: Email): EmailKey => email.toLowerCase() as EmailKey;

function isAddress(value: string): boolean {
  // The length limit has already reported it.
  if (value.length > 180) return true;
  const [local, domain, ...rest] = value.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return false;
  const labels = domain.split('.');
  return (
    local.length <= 64 &&
    local.split('.').every((part) => atom.test(part)) &&
    labels.length > 1 &&
    labels.every((part) => part.length <= 63 && label.test(part)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? '')
  );
}
