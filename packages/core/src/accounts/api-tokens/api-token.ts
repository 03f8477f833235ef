import { z } from 'zod';
import { checksummedToken } from '../../kernel/shared/checksummed-token.ts';
import { type ApiTokenId, OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import { coded } from '../../kernel/shared/parse.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import { text } from '../../kernel/shared/text.ts';
import { type TokenPermission, tokenPermissions } from '../../organizations/access/role.ts';
import { TokenNetwork } from '../../organizations/access/token-networks.ts';

/** 1 to 255 code points, trimmed; unique, ignoring case, among the active tokens of a user. */
export const ApiTokenName = text({ min: 1, max: 255 }).brand<'ApiTokenName'>();
export type ApiTokenName = z.infer<typeof ApiTokenName>;

/** The plain token: `zw_`, 30 random characters and a 6-character checksum. Shown once. */
export type PlainApiToken = string & z.$brand<'PlainApiToken'>;

/**
 * A new secret: `zw_`, 30 random characters (178 bits) and a checksum, so that secret scanners recognize leaked tokens.
 */
export const newApiToken = (randomness: Randomness): PlainApiToken =>
  // This function defines the format of the branded type.
  checksummedToken('zw_', randomness.base62(30)) as PlainApiToken;

/** The part of a token that may be shown later. */
export const displayPrefix = (token: PlainApiToken): string => token.slice(0, 8);

const Moment = z
  .string()
  .refine(
    (text) => text.length <= 40 && z.iso.datetime({ offset: true }).safeParse(text).success,
    coded('date.syntax', 'This value should be a timestamp such as 2026-01-15T09:30:00.000Z.'),
  );

/** How precisely the last use of a token is known: a use is recorded if the last recorded one is older. */
export const lastUsePrecisionSeconds = 60;

/** How many zones a token can be limited to. */
export const maxTokenZones = 100;

/** How many addresses and ranges a token can be limited to. */
export const maxTokenNetworks = 50;

/** The client-supplied part of a token. */
export const ApiTokenDraft = z.strictObject({
  name: ApiTokenName,
  readOnly: z.boolean().default(false),
  /** Empty: all of the user's organizations, including future ones. */
  organizations: z.array(OrganizationId).max(100).default([]),
  /** If absent, all but `admin`; for some zones, only what does not reach beyond them. */
  permissions: z.array(z.enum(tokenPermissions)).min(1).max(tokenPermissions.length).optional(),
  /** If absent, all zones of its organizations, including future ones. */
  zones: z.array(ZoneId).min(1).max(maxTokenZones).optional(),
  /** The only addresses and ranges that it may be used from; if absent, anywhere. */
  networks: z.array(TokenNetwork).min(1).max(maxTokenNetworks).optional(),
  expiresAt: Moment.nullish(),
});
export type ApiTokenDraft = z.output<typeof ApiTokenDraft>;

/** What a token is limited to, besides the rights of its owner. */
export interface TokenLimits {
  readonly permissions: readonly TokenPermission[];
  /** Undefined: all zones of its organizations. Deleted zones stay listed: a token whose zones are all deleted sees none. */
  readonly zones: readonly ZoneId[] | undefined;
  /** Undefined: anywhere. */
  readonly networks: readonly TokenNetwork[] | undefined;
}

/** A long-lived credential for programs (interface, "Authentication"). */
export interface ApiToken extends TokenLimits {
  readonly id: ApiTokenId;
  readonly name: ApiTokenName;
  readonly prefix: string;
  readonly readOnly: boolean;
  readonly organizations: readonly OrganizationId[];
  readonly expiresAt: Date | undefined;
  /** See `lastUsePrecisionSeconds`. */
  readonly lastUsedAt: Date | undefined;
  /** Where that was, as `networkOfUse` says. */
  readonly lastUsedNetwork: string | undefined;
  /** False if revoked or expired. */
  readonly active: boolean;
  readonly createdAt: Date;
}
