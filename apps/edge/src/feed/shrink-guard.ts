/** Losses up to this number or share of zones are never suspicious. */
const suspicious = { zones: 10, share: 0.2 } as const;

/** Whether so large a loss must be announced by the service. */
export const isSuspiciousLoss = (removed: number, of: number): boolean =>
  removed > suspicious.zones && removed > of * suspicious.share;
