/** Memory of a process as shipped. */
export const shippedSize = { limit: 1024, flags: [] as readonly string[] } as const;
