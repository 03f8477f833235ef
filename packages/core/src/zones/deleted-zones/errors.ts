/** The organization has no deleted zone with this id: it never existed, was restored or has expired. */
export const deletedZoneNotFound = () => ({ type: 'DeletedZoneNotFound' }) as const;
export type DeletedZoneNotFound = ReturnType<typeof deletedZoneNotFound>;
