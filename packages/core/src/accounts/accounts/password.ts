import { z } from 'zod';
import { coded, sizeMessage } from '../../kernel/shared/parse.ts';
import { codePoints } from '../../kernel/shared/text.ts';

/**
 * A new password that meets the rules (interface, "Limits"): 8 to 255 characters including upper case, lower case and a
 * digit.
 */
export const Password = z
  .string()
  .refine(
    (value) => value.isWellFormed() && !value.includes('\u0000'),
    coded('text.encoding', 'This value contains a character that cannot be stored.'),
  )
  .refine((value) => codePoints(value) >= 8, coded('text.tooShort', sizeMessage('at least', 8, 'character')))
  .refine((value) => codePoints(value) <= 255, coded('text.tooLong', sizeMessage('at most', 255, 'character')))
  .refine(
    (value) => /\p{Lu}/u.test(value),
    coded('password.upperCase', 'This value should contain an uppercase letter.'),
  )
  .refine(
    (value) => /\p{Ll}/u.test(value),
    coded('password.lowerCase', 'This value should contain a lowercase letter.'),
  )
  .refine((value) => /\p{Nd}/u.test(value), coded('password.digit', 'This value should contain a digit.'))
  .meta({
    minLength: 8,
    maxLength: 255,
    format: 'password',
    description: 'Must contain an uppercase letter, a lowercase letter and a digit.',
  })
  .brand<'Password'>();
export type Password = z.infer<typeof Password>;

/** A password typed at sign-in; it need not meet the rules. */
export const PasswordAttempt = z.string().min(1).brand<'PasswordAttempt'>();
export type PasswordAttempt = z.infer<typeof PasswordAttempt>;

/** A salted slow hash in PHC string format. */
export type PasswordHash = string & z.$brand<'PasswordHash'>;
