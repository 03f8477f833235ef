/** The host names that answer for a host, the exact one first: itself, and the wildcard for exactly its first label. */
export const namesAnswering = (host: string): readonly string[] => {
  const dot = host.indexOf('.');
  return dot > 0 ? [host, `*${host.slice(dot)}`] : [host];
};
