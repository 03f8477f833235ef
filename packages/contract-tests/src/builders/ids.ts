import { BackendId, BasicAuthUserId, Email, RuleId, SessionId, type TokenHash, UserId, ZoneId } from '@zonewright/core';

let count = 0;

/** A number unique in this process; later ones are larger. */
export const unique = (): number => {
  count += 1;
  return count;
};

/** Ids that sort in the order of creation. */
export const uuid = (): string => `01900000-0000-7000-8000-${unique().toString(16).padStart(12, '0')}`;

/** The id of a user; each call makes a new one, as do all functions below. */
export const aUserId = (): UserId => UserId.parse(uuid());

/** The id of a session. */
export const aSessionId = (): SessionId => SessionId.parse(uuid());

/** The id of a zone. */
export const aZoneId = (): ZoneId => ZoneId.parse(uuid());

/** The id of a rule. */
export const aRuleId = (): RuleId => RuleId.parse(uuid());

/** The id of a basic-auth user. */
export const aBasicAuthUserId = (): BasicAuthUserId => BasicAuthUserId.parse(uuid());

/** A token hash. */
export const aTokenHash = (): TokenHash => unique().toString(16).padStart(64, '0') as TokenHash;

/** An address without an account. */
export const anEmail = (): Email => Email.parse(`person-${unique()}@example.org`);

/** The id of an origin server or a load balancer. */
export const aBackendId = (): BackendId => BackendId.parse(uuid());
