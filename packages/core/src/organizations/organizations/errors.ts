/** An API token scoped to some organizations cannot create one: it could not access it. */
export const creationDenied = () => ({ type: 'CreationDenied' }) as const;
export type CreationDenied = ReturnType<typeof creationDenied>;

/** No organization has this id. Access to an existing organization of others is denied instead. */
export const organizationNotFound = () => ({ type: 'OrganizationNotFound' }) as const;
export type OrganizationNotFound = ReturnType<typeof organizationNotFound>;

/** The user is not a member of the organization. */
export const memberNotFound = () => ({ type: 'MemberNotFound' }) as const;
export type MemberNotFound = ReturnType<typeof memberNotFound>;

/** An organization always has an owner: the last one can neither leave nor step down. */
export const lastOwner = () => ({ type: 'LastOwner' }) as const;
export type LastOwner = ReturnType<typeof lastOwner>;

/** The organization still has `zones` zones. */
export const organizationNotEmpty = (zones: number) => ({ type: 'OrganizationNotEmpty', zones }) as const;
export type OrganizationNotEmpty = ReturnType<typeof organizationNotEmpty>;

/** Users must link a provider themselves before they require it of an organization. */
export const ownProviderMissing = () => ({ type: 'OwnProviderMissing' }) as const;
export type OwnProviderMissing = ReturnType<typeof ownProviderMissing>;

/** Users must enable two-factor authentication themselves before they require it of an organization. */
export const ownSecondFactorMissing = () => ({ type: 'OwnSecondFactorMissing' }) as const;
export type OwnSecondFactorMissing = ReturnType<typeof ownSecondFactorMissing>;
