/** Cost of one argon2id hash (RFC 9106 section 3.1). */
export interface Argon2Parameters {
  readonly memoryKiB: number;
  readonly iterations: number;
  /** Lanes, each of which may use a core of its own. */
  readonly parallelism: number;
}

/** The least that is accepted for new hashes. */
export const minParameters: Argon2Parameters = { memoryKiB: 19_456, iterations: 2, parallelism: 1 };

/** The most that is computed, so that a planted hash cannot exhaust the machine. */
export const maxParameters: Argon2Parameters = { memoryKiB: 256 * 1024, iterations: 10, parallelism: 16 };

/** Bytes of random salt in new hashes; 16 are enough for passwords (RFC 9106 section 3.1). */
const saltBytes = 16;

/** Bytes of new hashes proper, without salt and parameters. */
export const hashBytes = 32;

const maxLength = 256;
const phc = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** What a stored hash in PHC string format says of itself. Throws when it is no argon2id hash, or a weightier one than allowed. */
export function parametersOf(hash: string): Argon2Parameters {
  const [whole, memory, iterations, parallelism] = (hash.length <= maxLength && phc.exec(hash)) || [];
  if (whole === undefined) throw new Error('The stored password hash is not an argon2id hash.');
  const parameters = { memoryKiB: Number(memory), iterations: Number(iterations), parallelism: Number(parallelism) };
  if (!isWithin(parameters, maxParameters)) throw new Error('The stored password hash is too expensive to verify.');
  return parameters;
}

/** A hash that no password has but that takes as long to verify as one that some password has. */
export const decoyHash = (
  { memoryKiB, iterations, parallelism }: Argon2Parameters,
  random: (bytes: number) => Buffer,
) =>
  `$argon2id$v=19$m=${memoryKiB},t=${iterations},p=${parallelism}$${phcBase64(random(saltBytes))}$${phcBase64(random(hashBytes))}`;

/** Whether no parameter is greater than its limit. */
export const isWithin = (parameters: Argon2Parameters, limit: Argon2Parameters): boolean =>
  parameters.memoryKiB <= limit.memoryKiB &&
  parameters.iterations <= limit.iterations &&
  parameters.parallelism <= limit.parallelism;

/** PHC strings carry base64 without padding. */
const phcBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
