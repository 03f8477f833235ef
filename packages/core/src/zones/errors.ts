/** The organization has a zone of this name and tag already. */
export const zoneNameTaken = () => ({ type: 'ZoneNameTaken' }) as const;
export type ZoneNameTaken = ReturnType<typeof zoneNameTaken>;

/** No zone has this id. One of others exists: it is denied. */
export const zoneNotFound = () => ({ type: 'ZoneNotFound' }) as const;
export type ZoneNotFound = ReturnType<typeof zoneNotFound>;
