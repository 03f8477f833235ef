import type { HostName } from '../../organizations/domains/dns-names.ts';

/** The organization already has a zone with this name and tag. */
export const zoneNameTaken = () => ({ type: 'ZoneNameTaken' }) as const;
export type ZoneNameTaken = ReturnType<typeof zoneNameTaken>;

/** Another zone has taken one of the host names since they were looked up. */
export const hostNamesTaken = (names: readonly HostName[]) => ({ type: 'HostNamesTaken', names }) as const;
export type HostNamesTaken = ReturnType<typeof hostNamesTaken>;

/** No zone has this id. Access to an existing zone of others is denied instead. */
export const zoneNotFound = () => ({ type: 'ZoneNotFound' }) as const;
export type ZoneNotFound = ReturnType<typeof zoneNotFound>;
