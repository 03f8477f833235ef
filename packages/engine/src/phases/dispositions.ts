/** The possible outcomes of a request. */
export type Disposition =
  | 'rejected'
  | 'block'
  | 'challenge'
  | 'redirect'
  | 'unauthorized'
  | 'maintenance'
  | 'noBackend'
  | 'serve';

/** Statuses of the dispositions with a fixed one. */
export const dispositionStatuses = {
  block: 403,
  challenge: 403,
  unauthorized: 401,
  maintenance: 503,
  noBackend: 502,
} as const satisfies Partial<Record<Disposition, number>>;
