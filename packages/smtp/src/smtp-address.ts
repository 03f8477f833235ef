/** How to reach the mail server. */
export interface SmtpAddress {
  readonly host: string;
  /** Default: 587, or 465 for `smtps:`. */
  readonly port?: number;
  /** Implicit TLS. */
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/**
 * Parses `smtp://user:password@host:port` or `smtps://…`. Errors do not contain the URL, which may have a password.
 * Rejects query parameters, so that none can disable encryption.
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
