import { z } from 'zod';

const uuid = () => z.uuid().overwrite((id) => id.toLowerCase());

/**
 * Id of an account. Like all ids that are UUIDs: version 7, made by the core, so it is known before anything is
 * stored.
 */
export const UserId = uuid().brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;

/** Id of a session; access tokens carry it as `sid`. */
export const SessionId = uuid().brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** Id of an API token; it is no secret, and not part of the token. */
export const ApiTokenId = uuid().brand<'ApiTokenId'>();
export type ApiTokenId = z.infer<typeof ApiTokenId>;

/** Id of an invitation; it is no secret, and not the token that accepts it. */
export const InvitationId = uuid().brand<'InvitationId'>();
export type InvitationId = z.infer<typeof InvitationId>;

/** Organizations are numbered (interface, "Zone endpoints": `organization` is an integer). */
export const OrganizationId = z.int().min(1).max(2_147_483_647).brand<'OrganizationId'>();
export type OrganizationId = z.infer<typeof OrganizationId>;

/** Id of a zone; never given to another one. */
export const ZoneId = uuid().brand<'ZoneId'>();
export type ZoneId = z.infer<typeof ZoneId>;

/** Id of a rule of any kind; a rule that is restored has its old one again. */
export const RuleId = uuid().brand<'RuleId'>();
export type RuleId = z.infer<typeof RuleId>;

/** Id of a change set. */
export const ChangeSetId = uuid().brand<'ChangeSetId'>();
export type ChangeSetId = z.infer<typeof ChangeSetId>;

/** Id of a promotion. */
export const PromotionId = uuid().brand<'PromotionId'>();
export type PromotionId = z.infer<typeof PromotionId>;

/** Id of a basic-auth user; rules and settings name users by it. */
export const BasicAuthUserId = uuid().brand<'BasicAuthUserId'>();
export type BasicAuthUserId = z.infer<typeof BasicAuthUserId>;
