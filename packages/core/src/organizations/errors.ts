/** An API token made for some organizations creates no other one: it could not see it. */
export const creationDenied = () => ({ type: 'CreationDenied' }) as const;
export type CreationDenied = ReturnType<typeof creationDenied>;

/** No organization has this id. One of others exists: it is denied. */
export const organizationNotFound = () => ({ type: 'OrganizationNotFound' }) as const;
export type OrganizationNotFound = ReturnType<typeof organizationNotFound>;

/** The user is no member of the organization. */
export const memberNotFound = () => ({ type: 'MemberNotFound' }) as const;
export type MemberNotFound = ReturnType<typeof memberNotFound>;

/** An organization always has an owner: the last one can neither leave nor step down. */
export const lastOwner = () => ({ type: 'LastOwner' }) as const;
export type LastOwner = ReturnType<typeof lastOwner>;

/** The organization still has zones; `zones` is their number. */
export const organizationNotEmpty = (zones: number) => ({ type: 'OrganizationNotEmpty', zones }) as const;
export type OrganizationNotEmpty = ReturnType<typeof organizationNotEmpty>;

/** Only a user with a second factor makes it the rule. */
export const ownSecondFactorMissing = () => ({ type: 'OwnSecondFactorMissing' }) as const;
export type OwnSecondFactorMissing = ReturnType<typeof ownSecondFactorMissing>;
