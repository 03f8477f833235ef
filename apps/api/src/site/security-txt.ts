import { lazyFile, type StaticDocument } from '@zonewright/site';

/** RFC 9116 recommends less than a year. */
const validDays = 360;

/**
 * `/.well-known/security.txt` (RFC 9116): whom to tell about a vulnerability. None without a contact. It expires some
 * time after the first request since the service was started.
 */
export const securityTxt = ({
  securityContacts,
  publicBaseUrl,
}: {
  readonly securityContacts: readonly string[];
  readonly publicBaseUrl: string;
}): readonly StaticDocument[] => {
  const path = '/.well-known/security.txt';
  if (securityContacts.length === 0) return [];
  const lines = () => [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(Date.now() + validDays * 24 * 60 * 60 * 1000).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicBaseUrl}${path}`,
  ];
  return [lazyFile({ path, mediaType: 'text/plain; charset=utf-8' }, () => `${lines().join('\n')}\n`)];
};
