import type { NodemailerError } from 'nodemailer';

/** Explanations of failures that operators can fix, by error code of the system or the library. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this host and port',
  ENOTFOUND: 'the host has no address',
  ETIMEDOUT: 'the server did not answer in time',
  ETLS: 'the server does not encrypt',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'the server does not begin with TLS on this port; smtp:// uses STARTTLS, smtps:// does not',
  EAUTH: 'the server does not accept the user and password',
  EENVELOPE: 'the server does not accept the sender or the recipient',
  EMESSAGE: 'the server does not accept the content',
};

/**
 * OpenSSL and Node error codes for certificates that are expired, for a different host or from an unknown authority.
 */
const aboutCertificates = /CERT|SELF_SIGNED|LEAF_SIGNATURE|HOSTNAME_MISMATCH/;

/**
 * Why a mail was not accepted: the error code, the SMTP reply code, and an explanation. The server's text is left out,
 * because it may contain the address.
 */
export function reasonOf(cause: unknown): string {
  const { code, originalCode, responseCode }: NodemailerError = cause instanceof Error ? cause : new Error('unknown');
  const reported = originalCode ?? code ?? 'failure';
  const meaning = aboutCertificates.test(reported) ? 'the certificate of the server is not valid' : meanings[reported];
  const codes = ['SMTP', reported, ...(responseCode === undefined ? [] : [responseCode])].join(' ');
  return meaning === undefined ? codes : `${codes}: ${meaning}`;
}
