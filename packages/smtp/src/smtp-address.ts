/** Where and how to reach the receiving server. */
export interface SmtpAddress {
  readonly host: string;
  /** 587 or, for `smtps:`, 465 when absent. */
  readonly port?: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`. Throws on anything else without naming the address, which
 * may hold a password. Parameters are refused, so that none can switch encryption off.
 */
export function smtpAddress(url: string): SmtpAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['smtp:', 'smtps:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new Error('The mail server URL must have the form smtp://host:port or smtps://host:port.');
  }
  if (parsed.search !== '' || parsed.hash !== '' || !['', '/'].includes(parsed.pathname)) {
    throw new Error('The mail server URL must not have a path, query or fragment.');
  }
  return {
    host: parsed.hostname.replaceAll(/[[\]]/g, ''),
    secure: parsed.protocol === 'smtps:',
    ...(parsed.port === '' ? {} : { port: Number(parsed.port) }),
    ...credentialsOf(parsed),
  };
}

const credentialsOf = ({ username, password }: URL): Pick<SmtpAddress, 'auth'> =>
  username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
