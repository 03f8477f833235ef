import { type DestinationStream, type Logger, pino } from 'pino';

/** Buffered bytes while the output is blocked; further lines are dropped. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Lines are buffered until they reach this size or age. Pipe writes of up to 4096 bytes are atomic, so lines of several
 * processes do not mix unless one is longer.
 */
const buffering = { bytes: 4096, milliseconds: 250 } as const;

/** The destination of log lines. */
export interface LogOutput extends DestinationStream {
  /** Writes buffered lines as far as the output accepts them; for use before the process exits. */
  flushSync(): void;
}

/**
 * Opens a buffered output, or an unbuffered one with `isImmediate`. A blocked output (a full disk or a slow reader)
 * never blocks the process: up to 1 MiB is buffered, and `onLost` is called for each further line.
 */
export function openOutput(
  fileDescriptor: number,
  { onLost, isImmediate = false }: { readonly onLost: () => void; readonly isImmediate?: boolean },
): LogOutput {
  const destination = pino
    .destination({
      fd: fileDescriptor,
      sync: true,
      ...(isImmediate ? {} : { minLength: buffering.bytes - 1, periodicFlush: buffering.milliseconds }),
      maxLength: maxWaitingBytes,
      maxWrite: buffering.bytes,
      // Otherwise the library would sleep synchronously until a slow reader has caught up.
      retryEAGAIN: () => false,
    })
    // Unwritten lines stay in the buffer, so nothing is lost yet; `drop` reports the real losses.
    .on('error', () => undefined)
    .on('drop', onLost);
  return {
    write: (line) => destination.write(line),
    flushSync: () => {
      // The library's `flushSync` retries forever on a full disk. One call may leave up to a buffer's worth behind.
      destination.flush();
      destination.flush();
    },
  };
}

/**
 * The process log: one JSON line per event. A line that cannot be formatted or written is dropped and reported to
 * `onLost`: logging must never fail a request or the process.
 */
export const openLog = (output: DestinationStream, onLost: () => void = () => undefined): Logger =>
  pino(
    {
      name: 'zonewright',
      hooks: {
        logMethod(reported, write) {
          try {
            write.apply(this, reported);
          } catch {
            onLost();
          }
        },
      },
      serializers: { err: (failure: unknown) => describeFailure(failure) },
      formatters: { log: withoutSecrets },
    },
    output,
  );

/** Lower-case names of members that hold secrets. No code logs them on purpose; this is a second line of defence. */
const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-token',
  'password',
  'token',
  'refreshtoken',
  'challengetoken',
  'code',
  'secret',
  'otpauthuri',
  'qrdatauri',
  'recoverycodes',
  'plaintoken',
  'bantoken',
]);
const searchedDepth = 4;

/**
 * Copies a log entry with those members masked. Errors are left as they are: `describeFailure` includes only a `code`
 * that is an error code, not a secret.
 */
function withoutSecrets(logged: object, depth = 1): Record<string, unknown> {
  const members = Object.entries(logged).map(([name, value]): [string, unknown] => [
    name,
    secretNames.has(name.toLowerCase()) ? '[redacted]' : searched(value, depth),
  ]);
  return Object.fromEntries(members);
}

function searched(value: unknown, depth: number): unknown {
  const isOpaque = typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value;
  if (isOpaque || depth === searchedDepth) return value;
  return Array.isArray(value) ? value.map((entry) => searched(entry, depth + 1)) : withoutSecrets(value, depth + 1);
}

/** An error as it is logged. */
interface DescribedFailure {
  readonly type: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: DescribedFailure;
  readonly [reported: string]: unknown;
}

/** Other error members that are logged: names chosen by us or by libraries, never values. */
const loggedMembers = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine', 'syscall'] as const;
const maxDepth = 5;

/**
 * Keeps only parts of an error that cannot hold user input. Library errors do hold it: database errors quote whole
 * rows, and carry all parameters of the failed statement.
 */
function describeFailure(failure: unknown, depth = 1): DescribedFailure {
  if (!(failure instanceof Error)) return { type: typeof failure };
  const { name, message, stack, cause } = failure;
  const members = new Map<string, unknown>(Object.entries(failure));
  const reported = loggedMembers.filter((member) => typeof members.get(member) === 'string');
  return {
    type: name,
    message,
    ...Object.fromEntries(reported.map((member) => [member, members.get(member)])),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || depth === maxDepth ? {} : { cause: describeFailure(cause, depth + 1) }),
  };
}
