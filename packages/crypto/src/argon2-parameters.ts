/** Cost parameters of argon2id (RFC 9106 section 3.1). */
export interface Argon2Parameters {
  readonly memoryKiB: number;
  readonly iterations: number;
  /** Lanes, which can run on separate cores. */
  readonly parallelism: number;
}

/** Minimum for new hashes. */
export const minParameters: Argon2Parameters = { memoryKiB: 19_456, iterations: 2, parallelism: 1 };

/** Maximum to verify, so that a planted hash cannot exhaust the machine. */
export const maxParameters: Argon2Parameters = { memoryKiB: 256 * 1024, iterations: 10, parallelism: 16 };

/** Length of the random salt of new hashes; 16 bytes suffice for passwords (RFC 9106 section 3.1). */
const saltBytes = 16;

/** Length of new hashes, without salt and parameters. */
export const hashBytes = 32;

const maxLength = 256;
const phc = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/**
 * The parameters of a stored hash in PHC string format. Throws if it is not an argon2id hash, or a more expensive one
 * than allowed.
 */
export function parametersOf(hash: string): Argon2Parameters {
  const [whole, memory, iterations, parallelism] = (hash.length <= maxLength && phc.exec(hash)) || [];
  if (whole === undefined) throw new Error('The stored password hash is not an argon2id hash.');
  const parameters = { memoryKiB: Number(memory), iterations: Number(iterations), parallelism: Number(parallelism) };
  if (!isWithin(parameters, maxParameters)) throw new Error('The stored password hash is too expensive to verify.');
  return parameters;
}

/** A hash that no password matches but that takes as long to verify as a real one. */
export const decoyHash = (
  { memoryKiB, iterations, parallelism }: Argon2Parameters,
  random: (bytes: number) => Buffer,
) =>
  `$argon2id$v=19$m=${memoryKiB},t=${iterations},p=${parallelism}$${phcBase64(random(saltBytes))}$${phcBase64(random(hashBytes))}`;

/** Whether no parameter exceeds its limit. */
export const isWithin = (parameters: Argon2Parameters, limit: Argon2Parameters): boolean =>
  parameters.memoryKiB <= limit.memoryKiB &&
  parameters.iterations <= limit.iterations &&
  parameters.parallelism <= limit.parallelism;

/** PHC strings use base64 without padding. */
const phcBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
