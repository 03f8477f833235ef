import { z } from 'zod';
import { firstBroken } from '../../kernel/shared/constraints.ts';
import type { BasicAuthUserId, ZoneId } from '../../kernel/shared/ids.ts';
import { isJsonObject } from '../../kernel/shared/json.ts';
import { coded, sizeMessage } from '../../kernel/shared/parse.ts';
import { text, utf8Bytes } from '../../kernel/shared/text.ts';
import type { Version } from '../../kernel/shared/version.ts';

/** A colon would end the name in the `Authorization` header (RFC 7617 section 2). Names are case-sensitive. */
export const BasicAuthUsername = text({ min: 1, max: 128 })
  .refine((name) => !name.includes(':'), coded('basicAuth.username.colon', 'This value should not contain a colon.'))
  .brand<'BasicAuthUsername'>();
export type BasicAuthUsername = z.infer<typeof BasicAuthUsername>;

/** A note by the customer: at most 255 code points; may span several lines. */
export const BasicAuthComment = text({ max: 255, multiline: true }).brand<'BasicAuthComment'>();
export type BasicAuthComment = z.infer<typeof BasicAuthComment>;

/** Length limits in bytes of UTF-8: bcrypt ignores everything after 72. */
const basicAuthPasswordBytes = { min: 8, max: 72 } as const;

const bytesOf = (password: string): number =>
  password.length > basicAuthPasswordBytes.max ? password.length : utf8Bytes(password);

/** A new password, never normalized: clients send its exact bytes. */
export const BasicAuthPassword = z
  .string()
  .refine((password) => password.isWellFormed(), coded('text.encoding', 'This value contains a lone surrogate.'))
  .refine(
    (password) => bytesOf(password) >= basicAuthPasswordBytes.min,
    coded('basicAuth.password.tooShort', sizeMessage('at least', basicAuthPasswordBytes.min, 'byte')),
  )
  .refine(
    (password) => bytesOf(password) <= basicAuthPasswordBytes.max,
    coded('basicAuth.password.tooLong', sizeMessage('at most', basicAuthPasswordBytes.max, 'byte')),
  )
  .refine((password) => !/\p{Cc}/u.test(password), coded('text.control', 'This value contains a control character.'))
  .meta({ minLength: 1, maxLength: basicAuthPasswordBytes.max, format: 'password' })
  .brand<'BasicAuthPassword'>();
export type BasicAuthPassword = z.infer<typeof BasicAuthPassword>;

/** The hash that proxies verify: bcrypt (`$2y$`), or SHA-512 crypt (`$6$`) if it was imported. */
export type BasicAuthPasswordHash = string & z.$brand<'BasicAuthPasswordHash'>;

const bcrypt = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/;
const sha512Crypt = /^\$6\$(?:rounds=([1-9][0-9]{0,8})\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}$/;
const maxHashLength = 130;

/**
 * Allowed cost of imported hashes. Proxies verify one on every request with a password, so a higher cost would let one
 * zone exhaust CPU shared by all; a lower one would not protect the password.
 */
const importedHashCosts = {
  /** Binary logarithm of the bcrypt rounds. */
  bcrypt: { min: 10, max: 12 },
  /** Rounds of SHA-512 crypt. */
  sha512Crypt: { min: 1000, max: 100_000 },
} as const;

/** SHA-512 crypt rounds if the hash does not specify them. */
const defaultRounds = 5000;

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max;

const isCryptHash = (hash: string): boolean =>
  hash.length <= maxHashLength && (bcrypt.test(hash) || sha512Crypt.test(hash));

function hasAcceptedCost(hash: string): boolean {
  const [, cost] = bcrypt.exec(hash) ?? [];
  if (cost !== undefined) return isWithin(Number(cost), importedHashCosts.bcrypt);
  const [, rounds = defaultRounds] = sha512Crypt.exec(hash) ?? [];
  return isWithin(Number(rounds), importedHashCosts.sha512Crypt);
}

/** A hash made elsewhere. The bcrypt variants become `$2y$`, which all proxies support. */
export const ImportedPasswordHash = z
  .string()
  .check(
    firstBroken(
      {
        holds: isCryptHash,
        code: 'basicAuth.passwordHash',
        message: 'This value should be a bcrypt hash ($2y$) or a SHA-512 crypt hash ($6$).',
      },
      {
        holds: hasAcceptedCost,
        code: 'basicAuth.passwordHash.cost',
        message:
          'This value should be a bcrypt hash with a cost of 10 to 12, or a SHA-512 crypt hash with 1,000 to 100,000 rounds.',
      },
    ),
  )
  // The schema above has checked the form; all variants denote the same algorithm.
  .transform((hash) => hash.replace(/^\$2[ab]\$/, '$2y$') as BasicAuthPasswordHash);

/** A person who may pass HTTP Basic authentication in front of a zone (interface, "Basic-auth user"). */
export interface BasicAuthUser {
  readonly id: BasicAuthUserId;
  readonly zoneId: ZoneId;
  readonly username: BasicAuthUsername;
  readonly comment: BasicAuthComment;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
}

/** The version for entity tags. */
export const basicAuthUserVersion = ({ revision }: Pick<BasicAuthUser, 'revision'>): Version => String(revision);

interface GivenCredentials {
  readonly password?: unknown;
  readonly passwordHash?: unknown;
}

const givenOf = ({ password, passwordHash }: GivenCredentials): number =>
  Number(password !== undefined) + Number(passwordHash !== undefined);

/** Reported along with problems of the members, but only for values of the right shape. */
const ofAnObject = { when: ({ value }: z.core.ParsePayload): boolean => isJsonObject(value) } as const;

/** What can be changed about a user, with a password or a hash of one; the name must stay the same. */
export const BasicAuthUserChange = z
  .strictObject({
    username: BasicAuthUsername,
    comment: BasicAuthComment.prefault(''),
    password: BasicAuthPassword.optional(),
    passwordHash: ImportedPasswordHash.optional(),
  })
  .refine((change) => givenOf(change) <= 1, {
    ...coded('basicAuth.password.twice', 'Give either a password or a hash of one, not both.'),
    ...ofAnObject,
    path: ['passwordHash'],
  });
export type BasicAuthUserChange = z.output<typeof BasicAuthUserChange>;

/** The client-supplied part of a new user. */
export const BasicAuthUserDraft = BasicAuthUserChange.refine((draft) => givenOf(draft) >= 1, {
  ...coded('member.required', 'This member is required.'),
  ...ofAnObject,
  path: ['password'],
});
export type BasicAuthUserDraft = z.output<typeof BasicAuthUserDraft>;
