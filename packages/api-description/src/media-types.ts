/** Media types of request and response bodies. */
export const mediaTypes = {
  json: 'application/json',
  linked: 'application/ld+json',
  mergePatch: 'application/merge-patch+json',
  problem: 'application/problem+json',
} as const;

/** Media types that resources can be negotiated to. */
export type Format = typeof mediaTypes.json | typeof mediaTypes.linked;
