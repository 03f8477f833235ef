import { parentPort } from 'node:worker_threads';
import { verify } from 'unixcrypt';

/** A password to compare with a SHA-512 crypt hash. */
export interface CryptQuestion {
  readonly password: string;
  readonly hash: string;
}

parentPort?.on('message', ({ password, hash }: CryptQuestion) => parentPort?.postMessage(verify(password, hash)));
