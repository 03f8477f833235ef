import { utf8Bytes } from '../shared/text.ts';

/** A limit on how many of something may exist, and the range in which operators can set it. */
export interface UsageLimit {
  /** The scope in which they are counted. */
  readonly per: 'user' | 'organization' | 'zone' | 'changeSet' | 'loadBalancer' | 'rule' | 'list';
  /** The default. */
  readonly default: number;
  /** The highest value operators can set. */
  readonly ceiling: number;
}

/**
 * All limits on how many of something may exist. Operators set them from 0 up to the ceiling, for the installation and for
 * single organizations or, where they are counted per user, single users. Lowering a limit deletes nothing, but nothing can be added
 * above it.
 */
export const usageLimits = {
  /** Those a user already owns when creating one. */
  organizations: { per: 'user', default: 100, ceiling: 1000 },
  /** Active ones only. */
  apiTokens: { per: 'user', default: 50, ceiling: 1000 },
  zones: { per: 'organization', default: 500, ceiling: 100_000 },
  /** Origin servers and load balancers together. */
  backends: { per: 'organization', default: 200, ceiling: 2000 },
  /** Pending invitations included. */
  members: { per: 'organization', default: 100, ceiling: 1000 },
  domains: { per: 'organization', default: 100, ceiling: 1000 },
  /** Of zones with their histories and drafts, as `StorageQuotas` counts them. */
  storageBytes: { per: 'organization', default: 1_000_000_000, ceiling: 1_000_000_000_000 },
  origins: { per: 'loadBalancer', default: 32, ceiling: 100 },
  hostnames: { per: 'zone', default: 100, ceiling: 1000 },
  configurationRules: { per: 'zone', default: 100, ceiling: 500 },
  rewriteRules: { per: 'zone', default: 200, ceiling: 1000 },
  accessRules: { per: 'zone', default: 100, ceiling: 500 },
  securityScenarios: { per: 'zone', default: 20, ceiling: 100 },
  basicAuthUsers: { per: 'zone', default: 50, ceiling: 500 },
  /** Open ones. */
  changeSets: { per: 'zone', default: 50, ceiling: 100 },
  operations: { per: 'changeSet', default: 500, ceiling: 1000 },
  conditions: { per: 'rule', default: 25, ceiling: 50 },
  /** Addresses and ranges in the value of one condition. */
  addresses: { per: 'list', default: 500, ceiling: 5000 },
  /** Entries of any other list value. */
  values: { per: 'list', default: 250, ceiling: 1000 },
  /** Of all rules together, as JSON: a zone is held in memory as a whole. Twenty times what large zones need. */
  ruleCharacters: { per: 'zone', default: 2_000_000, ceiling: 16_000_000 },
} as const satisfies Record<string, UsageLimit>;

/** The message when nothing can be added: it says who can help. */
export const fullMessage = (scope: string, limit: number, things: string): string =>
  `${scope} can have at most ${limit} ${things}. Operators can raise this limit.`;

export type UsageLimitName = keyof typeof usageLimits;

/** A value for every limit. */
export type UsageLimits = Readonly<Record<UsageLimitName, number>>;

/** The names of all limits. */
export const usageLimitNames =
  // `Object.keys` loses the key type.
  Object.keys(usageLimits) as readonly UsageLimitName[];

/** Limits that can be set for an organization: all except those of users, who may belong to several. */
export type OrganizationLimitName = {
  [N in UsageLimitName]: (typeof usageLimits)[N]['per'] extends 'user' ? never : N;
}[UsageLimitName];

/** Limits that can be set for a user. */
export type UserLimitName = Exclude<UsageLimitName, OrganizationLimitName>;

/** The limits set for one user. */
export type UserLimits = Readonly<Partial<Record<UserLimitName, number>>>;

/** The names of the limits that can be set for a user. */
export const userLimitNames = usageLimitNames.filter((name): name is UserLimitName => usageLimits[name].per === 'user');

/** The limit in force for a user: their own up to its ceiling, or the operator's. */
export const userLimitInForce = (name: UserLimitName, own: UserLimits, operators: UsageLimits): number =>
  Math.min(own[name] ?? operators[name], usageLimits[name].ceiling);

/** The limits set for one organization. */
export type OrganizationLimits = Readonly<Partial<Record<OrganizationLimitName, number>>>;

/** The names of the limits that can be set for an organization. */
export const organizationLimitNames = usageLimitNames.filter(
  (name): name is OrganizationLimitName => usageLimits[name].per !== 'user',
);

/** The given limits, with defaults for the rest. */
export const usageLimitsWith = (given: Partial<UsageLimits>): UsageLimits =>
  // `Object.fromEntries` loses that every name has an entry.
  Object.fromEntries(usageLimitNames.map((name) => [name, given[name] ?? usageLimits[name].default])) as UsageLimits;

/** The limits of an installation without configured ones. */
export const defaultUsageLimits: UsageLimits = usageLimitsWith({});

/**
 * What a revision, a draft or a promotion counts towards the quota of its organization besides its texts, in bytes;
 * storage that keeps a tally adds as much.
 */
const bytesPerRow = 200;

/** What a revision, a draft or a promotion with these texts counts towards the quota of its organization. */
export const storedBytes = (texts: readonly (string | undefined)[]): number =>
  texts.reduce((sum, text) => sum + utf8Bytes(text ?? ''), bytesPerRow);

/** The part of its quota up to which an organization writes without taking turns. */
const partWithoutQueue = 0.9;

/** How many bytes an organization may store for another write to need no turn. */
export const bytesWithoutQueue = (limit: number): number => Math.floor(limit * partWithoutQueue);

/** The usage of a limit. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
}

/** Whether there is no room for another one. */
export const isFull = ({ used, limit }: Usage): boolean => used >= limit;
