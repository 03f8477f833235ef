/** Path of a type's JSON-LD context; the same on every host. */
export const contextIri = (type: string): string => `/api/contexts/${type}`;
