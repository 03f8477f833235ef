/** Names of the machine itself or of private networks; the names below them are refused as well. */
const privateNames = [
  // RFC 6761 section 6.3, RFC 6762 section 3, RFC 8375.
  'localhost',
  'local',
  'home.arpa',
  // Reserved for private use, and used by cloud metadata services; services inside a cluster.
  'internal',
  'svc',
] as const;

/**
 * Whether a host name (without final dot) cannot be a public one. Single labels are refused because the proxy's
 * resolver would complete them with a search domain.
 */
export function isRefusedName(name: string): boolean {
  const key = name.toLowerCase();
  return !key.includes('.') || privateNames.some((each) => key === each || key.endsWith(`.${each}`));
}
