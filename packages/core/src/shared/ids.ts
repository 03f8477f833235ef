import { z } from 'zod';

const uuid = () => z.uuid().overwrite((id) => id.toLowerCase());

export const UserId = uuid().brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;

export const SessionId = uuid().brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

export const ApiTokenId = uuid().brand<'ApiTokenId'>();
export type ApiTokenId = z.infer<typeof ApiTokenId>;

export const InvitationId = uuid().brand<'InvitationId'>();
export type InvitationId = z.infer<typeof InvitationId>;

/** Organizations are numbered (interface, "Zone endpoints": `organization` is an integer). */
export const OrganizationId = z.int().min(1).max(2_147_483_647).brand<'OrganizationId'>();
export type OrganizationId = z.infer<typeof OrganizationId>;

export const ZoneId = uuid().brand<'ZoneId'>();
export type ZoneId = z.infer<typeof ZoneId>;

export const RuleId = uuid().brand<'RuleId'>();
export type RuleId = z.infer<typeof RuleId>;

export const BasicAuthUserId = uuid().brand<'BasicAuthUserId'>();
export type BasicAuthUserId = z.infer<typeof BasicAuthUserId>;
