/** The organization already has a zone with this name and tag. */
export const zoneNameTaken = () => ({ type: 'ZoneNameTaken' }) as const;
export type ZoneNameTaken = ReturnType<typeof zoneNameTaken>;

/** No zone has this id. Access to an existing zone of others is denied instead. */
export const zoneNotFound = () => ({ type: 'ZoneNotFound' }) as const;
export type ZoneNotFound = ReturnType<typeof zoneNotFound>;
