import { z } from 'zod';
import { firstBroken } from '../shared/constraints.ts';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';
import { isJsonObject } from '../shared/merge-patch.ts';
import { coded } from '../shared/parse.ts';
import { text, utf8Bytes } from '../shared/text.ts';
import type { Version } from '../shared/version.ts';

/** A colon would end it on the wire (RFC 7617 section 2). Names are compared with their case. */
export const BasicAuthUsername = text({ min: 1, max: 128 })
  .refine((name) => !name.includes(':'), coded('basicAuth.username.colon', 'This value should not contain a colon.'))
  .brand<'BasicAuthUsername'>();
export type BasicAuthUsername = z.infer<typeof BasicAuthUsername>;

/** A note of the customer: at most 255 code points, may have several lines. */
export const BasicAuthComment = text({ max: 255, multiline: true }).brand<'BasicAuthComment'>();
export type BasicAuthComment = z.infer<typeof BasicAuthComment>;

/** Bytes of a password in UTF-8: bcrypt reads no more than 72. */
const basicAuthPasswordBytes = { min: 8, max: 72 } as const;

const bytesOf = (password: string): number =>
  password.length > basicAuthPasswordBytes.max ? password.length : utf8Bytes(password);

/** A password as it is written once; taken as it is, for clients send its bytes. */
export const BasicAuthPassword = z
  .string()
  .refine((password) => password.isWellFormed(), coded('text.encoding', 'This value contains a lone surrogate.'))
  .refine(
    (password) => bytesOf(password) >= basicAuthPasswordBytes.min,
    coded('basicAuth.password.tooShort', `This value should have at least ${basicAuthPasswordBytes.min} bytes.`),
  )
  .refine(
    (password) => bytesOf(password) <= basicAuthPasswordBytes.max,
    coded('basicAuth.password.tooLong', `This value should have at most ${basicAuthPasswordBytes.max} bytes.`),
  )
  .refine((password) => !/\p{Cc}/u.test(password), coded('text.control', 'This value contains a control character.'))
  .meta({ minLength: 1, maxLength: basicAuthPasswordBytes.max, format: 'password' })
  .brand<'BasicAuthPassword'>();
export type BasicAuthPassword = z.infer<typeof BasicAuthPassword>;

/** What proxies verify passwords against: bcrypt (`$2y$`), or SHA-512 crypt (`$6$`) where it was imported. */
export type BasicAuthPasswordHash = string & z.$brand<'BasicAuthPasswordHash'>;

const bcrypt = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/;
const sha512Crypt = /^\$6\$(?:rounds=([1-9][0-9]{0,8})\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}$/;
const maxHashLength = 130;

/**
 * What an imported hash may cost. A proxy computes it on every request of everybody who tries, so more would let one
 * zone take the processors that all of them share; less protects nothing.
 */
const importedHashCosts = {
  /** Logarithm of the rounds of bcrypt. */
  bcrypt: { min: 10, max: 12 },
  /** Rounds of SHA-512 crypt. */
  sha512Crypt: { min: 1000, max: 100_000 },
} as const;

/** The rounds of SHA-512 crypt when a hash names none. */
const usualRounds = 5000;

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max;

const isCryptHash = (hash: string): boolean =>
  hash.length <= maxHashLength && (bcrypt.test(hash) || sha512Crypt.test(hash));

function hasAcceptedCost(hash: string): boolean {
  const [, cost] = bcrypt.exec(hash) ?? [];
  if (cost !== undefined) return isWithin(Number(cost), importedHashCosts.bcrypt);
  const [, rounds = usualRounds] = sha512Crypt.exec(hash) ?? [];
  return isWithin(Number(rounds), importedHashCosts.sha512Crypt);
}

/** A hash made elsewhere. Whatever the letter of a bcrypt hash, `$2y$` is the one that all proxies read. */
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
  // The schema before it checked the form; all variants name the same algorithm.
  .transform((hash) => hash.replace(/^\$2[ab]\$/, '$2y$') as BasicAuthPasswordHash);

/** A person who may pass HTTP Basic Authentication in front of a zone (interface, "Basic-auth user"). */
export interface BasicAuthUser {
  readonly id: BasicAuthUserId;
  readonly zoneId: ZoneId;
  readonly username: BasicAuthUsername;
  readonly comment: BasicAuthComment;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
}

/** For entity tags: another revision is another version. */
export const basicAuthUserVersion = ({ revision }: Pick<BasicAuthUser, 'revision'>): Version => String(revision);

/** How a password is given: itself, or a hash of it. */
const credentialMembers = {
  password: BasicAuthPassword.optional(),
  passwordHash: ImportedPasswordHash.optional(),
} as const;

interface GivenCredentials {
  readonly password?: unknown;
  readonly passwordHash?: unknown;
}

const givenOf = ({ password, passwordHash }: GivenCredentials): number =>
  Number(password !== undefined) + Number(passwordHash !== undefined);

const atMostOne = coded('basicAuth.password.twice', 'Give either a password or a hash of one, not both.');

/** Reported together with what is wrong with the members, but only of a value of the right shape. */
const ofAnObject = { when: ({ value }: z.core.ParsePayload): boolean => isJsonObject(value) } as const;

/** What a client writes of a new user. */
export const BasicAuthUserDraft = z
  .strictObject({
    username: BasicAuthUsername,
    comment: BasicAuthComment.prefault(''),
    ...credentialMembers,
  })
  .refine((draft) => givenOf(draft) <= 1, { ...atMostOne, ...ofAnObject, path: ['passwordHash'] })
  .refine((draft) => givenOf(draft) >= 1, {
    ...coded('member.required', 'This member is required.'),
    ...ofAnObject,
    path: ['password'],
  });
export type BasicAuthUserDraft = z.output<typeof BasicAuthUserDraft>;

/** What can be changed of a user: its name is only repeated. */
export const BasicAuthUserChange = z
  .strictObject({ username: BasicAuthUsername, comment: BasicAuthComment.prefault(''), ...credentialMembers })
  .refine((change) => givenOf(change) <= 1, { ...atMostOne, ...ofAnObject, path: ['passwordHash'] });
export type BasicAuthUserChange = z.output<typeof BasicAuthUserChange>;
