import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartFailure } from '../start-failure.ts';

/** A certificate with its key, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const validDays = 800;
const names = ['DNS:localhost', 'DNS:*.localhost', 'IP:127.0.0.1', 'IP:::1'];

/**
 * The certificate in the folder, for names below `localhost`; made once, by OpenSSL, so that a developer confirms it in
 * a browser only once. Rejects with a `StartFailure` if it can neither be read nor made.
 */
export async function ownCertificate(folder: string): Promise<Certificate> {
  const files = { key: join(folder, 'tls-key.pem'), cert: join(folder, 'tls-certificate.pem') };
  return read(files).catch(async () => {
    const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const what = ['-days', String(validDays), '-subj', '/CN=localhost', '-addext', `subjectAltName=${names.join(',')}`];
    const made = promisify(execFile)('openssl', [...how, ...what, '-keyout', files.key, '-out', files.cert]);
    await made.catch((error: NodeJS.ErrnoException) => {
      const problem = error.code === 'ENOENT' ? 'the program openssl is not installed' : error.message.trim();
      throw new StartFailure(`EDGE_TLS_PORT: a certificate cannot be made: ${problem}`);
    });
    return read(files);
  });
}

const read = async (files: Certificate): Promise<Certificate> => ({
  key: await readFile(files.key, 'utf8'),
  cert: await readFile(files.cert, 'utf8'),
});
