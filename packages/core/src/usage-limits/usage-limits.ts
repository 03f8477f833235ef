import { oncePer } from '../shared/once-per.ts';

/** How many there may be of something, and what the operator can make of that. */
export interface UsageLimit {
  /** Of what so many can exist. */
  readonly per: 'user' | 'organization' | 'zone' | 'changeSet' | 'loadBalancer' | 'rule' | 'list';
  /** Unless the operator says otherwise. */
  readonly usual: number;
  /** The most that the service can bear. */
  readonly ceiling: number;
}

/**
 * Every limit on how many there may be of something. Operators set them, each from 0 to its ceiling, for the installation and
 * for single organizations; those of users for the installation only. What exists stays when a limit falls below it, and
 * nothing more is added.
 */
export const usageLimits = {
  /** That a user owns when creating another one. */
  organizations: { per: 'user', usual: 100, ceiling: 1000 },
  /** Neither revoked nor expired. */
  apiTokens: { per: 'user', usual: 50, ceiling: 1000 },
  zones: { per: 'organization', usual: 500, ceiling: 100_000 },
  /** Origin servers and load balancers together. */
  backends: { per: 'organization', usual: 200, ceiling: 2000 },
  /** Invited people included. */
  members: { per: 'organization', usual: 100, ceiling: 1000 },
  origins: { per: 'loadBalancer', usual: 32, ceiling: 100 },
  configurationRules: { per: 'zone', usual: 100, ceiling: 500 },
  rewriteRules: { per: 'zone', usual: 50, ceiling: 1000 },
  accessRules: { per: 'zone', usual: 100, ceiling: 500 },
  securityScenarios: { per: 'zone', usual: 20, ceiling: 100 },
  basicAuthUsers: { per: 'zone', usual: 50, ceiling: 500 },
  /** Open ones. */
  changeSets: { per: 'zone', usual: 50, ceiling: 100 },
  operations: { per: 'changeSet', usual: 500, ceiling: 1000 },
  conditions: { per: 'rule', usual: 25, ceiling: 50 },
  /** Addresses and ranges in the value of one condition. */
  addresses: { per: 'list', usual: 500, ceiling: 5000 },
  /** Entries of any other value that is a list. */
  values: { per: 'list', usual: 250, ceiling: 1000 },
  /** Of all rules together, as JSON text: a zone is held in memory as a whole. More than rules within the usual limits need. */
  ruleCharacters: { per: 'zone', usual: 16_000_000, ceiling: 16_000_000 },
} as const satisfies Record<string, UsageLimit>;

export type UsageLimitName = keyof typeof usageLimits;

/** A number for every limit. */
export type UsageLimits = Readonly<Record<UsageLimitName, number>>;

/** Every limit by its name. */
export const usageLimitNames =
  // `Object.keys` forgets which keys an object has.
  Object.keys(usageLimits) as readonly UsageLimitName[];

/** Limits that an organization can have of its own: all but those of users, who may belong to several. */
export type OrganizationLimitName = {
  [N in UsageLimitName]: (typeof usageLimits)[N]['per'] extends 'user' ? never : N;
}[UsageLimitName];

/** The limits that an organization has of its own. */
export type OrganizationLimits = Readonly<Partial<Record<OrganizationLimitName, number>>>;

/** The names of those that it can have. */
export const organizationLimitNames = usageLimitNames.filter(
  (name): name is OrganizationLimitName => usageLimits[name].per !== 'user',
);

/**
 * What is in force in an organization: its own limits, up to their ceilings, and those of the operator. For the same objects
 * it is the same one, so that what is made of it is made once.
 */
export const limitsInForce = (operators: UsageLimits): ((own: OrganizationLimits | undefined) => UsageLimits) => {
  const merged = oncePer((own: OrganizationLimits) =>
    usageLimitsWith({
      ...operators,
      ...Object.fromEntries(
        organizationLimitNames.flatMap((name) => {
          const { [name]: limit } = own;
          return limit === undefined ? [] : [[name, Math.min(limit, usageLimits[name].ceiling)]];
        }),
      ),
    }),
  );
  return (own) => (own === undefined ? operators : merged(own));
};

/** All limits, of which some are given and the others are the usual ones. */
export const usageLimitsWith = (given: Partial<UsageLimits>): UsageLimits =>
  // `Object.fromEntries` forgets that every name has its entry.
  Object.fromEntries(usageLimitNames.map((name) => [name, given[name] ?? usageLimits[name].usual])) as UsageLimits;

/** The limits of an installation whose operator says nothing. */
export const usualUsageLimits: UsageLimits = usageLimitsWith({});

/** How much of a limit is used. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
}

/** Whether there is no room for one more. */
export const isFull = ({ used, limit }: Usage): boolean => used >= limit;
