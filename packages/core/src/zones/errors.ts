/** The organization has a zone of this name and tag already. */
export const zoneNameTaken = () => ({ type: 'ZoneNameTaken' }) as const;
export type ZoneNameTaken = ReturnType<typeof zoneNameTaken>;

/** The zone does not exist, or is in no organization of the caller. */
export const zoneNotFound = () => ({ type: 'ZoneNotFound' }) as const;
export type ZoneNotFound = ReturnType<typeof zoneNotFound>;
