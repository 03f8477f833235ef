/** What can become of a request. */
export type Disposition =
  | 'rejected'
  | 'block'
  | 'challenge'
  | 'redirect'
  | 'unauthorized'
  | 'maintenance'
  | 'noBackend'
  | 'serve';

/** Statuses of the dispositions that have one of their own. */
export const dispositionStatuses = {
  block: 403,
  challenge: 403,
  unauthorized: 401,
  maintenance: 503,
  noBackend: 502,
} as const satisfies Partial<Record<Disposition, number>>;
