/** The organization has no domain with this id. */
export const domainNotFound = () => ({ type: 'DomainNotFound' }) as const;
export type DomainNotFound = ReturnType<typeof domainNotFound>;

/** The organization already has a domain with this name. */
export const domainNameTaken = () => ({ type: 'DomainNameTaken' }) as const;
export type DomainNameTaken = ReturnType<typeof domainNameTaken>;

/** Zones of the organization have host names that the domain covers. */
export const domainInUse = () => ({ type: 'DomainInUse' }) as const;
export type DomainInUse = ReturnType<typeof domainInUse>;
