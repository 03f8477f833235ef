import { z } from 'zod';
import type { EdgeId, OrganizationId } from '../../kernel/shared/ids.ts';
import { coded } from '../../kernel/shared/parse.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { EnvironmentTag, Zone } from '../../zones/zones/zone.ts';

/** 1 to 63 characters of `a-z0-9-`; unique in the installation. */
export const EdgeName = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/, coded('edge.name', 'A name consists of 1 to 63 characters of a-z, 0-9 and -.'))
  .brand<'EdgeName'>();
export type EdgeName = z.infer<typeof EdgeName>;

/** Canary edges are offered each change first. */
export const edgeStages = ['canary', 'main'] as const;
export type EdgeStage = (typeof edgeStages)[number];

/** Which zones an edge serves. */
export interface EdgeScope {
  /** Empty: all tags. */
  readonly tags: readonly EnvironmentTag[];
  /** Empty: all organizations. */
  readonly organizations: readonly OrganizationId[];
}

/** A running program that answers requests. */
export interface Edge extends EdgeScope {
  readonly id: EdgeId;
  readonly name: EdgeName;
  readonly stage: EdgeStage;
  /** Not counted by the delivery of zones, and not waited for. */
  readonly isDraining: boolean;
  readonly createdAt: Date;
  /** Undefined: its enrolment token has not been used. */
  readonly enrolledAt: Date | undefined;
}

/** The part of an edge that decides what the feed tells it. */
export type EdgeIdentity = Pick<Edge, 'id' | 'name' | 'stage' | keyof EdgeScope>;

/** Whether an edge serves a zone. */
export const isInScope = (
  { tags, organizations }: EdgeScope,
  { tag, organizationId }: Pick<Zone, 'tag' | 'organizationId'>,
): boolean =>
  (tags.length === 0 || tags.includes(tag)) && (organizations.length === 0 || organizations.includes(organizationId));

/** An enrolment token is good for one enrolment within a day. */
export const enrolmentLifetimeSeconds = 24 * 60 * 60;

/** An edge that has not reported for so long is silent: nothing waits for it. */
export const silentAfterSeconds = 90;

/** Another process with the same key is refused for so long after a report of the first. */
export const claimSeconds = 45;

/** How long canary edges serve a change before the others get it. */
export const defaultSoakSeconds = 30;

/** What every key of an edge begins with. */
export const edgeKeyPrefix = 'zwe_';

/** A new key, of 256 bits. Shown once. */
export const newEdgeKey = (randomness: Randomness): string => `${edgeKeyPrefix}${randomness.token()}`;

/** A new token for one enrolment, of 256 bits. Shown once. */
export const newEnrolmentToken = (randomness: Randomness): string => `zwt_${randomness.token()}`;
