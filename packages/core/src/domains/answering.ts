import type { HostName } from './host-name.ts';

/** The host names that answer for a host: itself, and the wildcard for its first label. */
export const namesAnswering = (host: string): readonly string[] => {
  const dot = host.indexOf('.');
  return dot > 0 ? [host, `*${host.slice(dot)}`] : [host];
};

/** Whether requests for the host are for a zone with this host name. */
export const answersFor = (name: HostName, host: string): boolean => namesAnswering(host).includes(name);
