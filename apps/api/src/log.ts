import { type DestinationStream, type Logger, pino } from 'pino';

/** Bytes of lines that wait while the output takes none; what does not fit is lost. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Lines are written together: when they have so many bytes, or so many milliseconds later. A pipe takes so many at once: lines of
 * several processes are not mixed, unless one of them is longer.
 */
const together = { bytes: 4096, milliseconds: 250 } as const;

/** Where lines go. */
export interface LogOutput extends DestinationStream {
  /** Writes what waits, as far as the output takes it at once: before the process ends. */
  flushSync(): void;
}

/**
 * Opens an output whose lines are written in order, some at a time, or each at once where that is asked for. One that takes
 * none, because its disk is full or its reader is slow, holds nobody up: up to 1 MiB of lines wait until others are written,
 * and `onLost` is called for each further one.
 */
export function openOutput(
  fileDescriptor: number,
  { onLost, isImmediate = false }: { readonly onLost: () => void; readonly isImmediate?: boolean },
): LogOutput {
  const destination = pino
    .destination({
      fd: fileDescriptor,
      sync: true,
      ...(isImmediate ? {} : { minLength: together.bytes - 1, periodicFlush: together.milliseconds }),
      maxLength: maxWaitingBytes,
      maxWrite: together.bytes,
      // Without a retry of its own the library does not sleep until a slow reader has caught up.
      retryEAGAIN: () => false,
    })
    // What an error event leaves unwritten is kept, and what is kept in vain is dropped.
    .on('error', () => undefined)
    .on('drop', onLost);
  return {
    write: (line) => destination.write(line),
    flushSync: () => {
      // The library's own tries for ever where a disk is full. The first time it may leave less than it writes together.
      destination.flush();
      destination.flush();
    },
  };
}

/**
 * The log of the process: one JSON line for each thing that happened. A line that cannot be made or written is lost, and
 * `onLost` is called: it must cost neither an answer nor the process.
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

/** Names, in lower case, under which secrets go in and out. Nothing of ours logs them; this is the second net. */
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
 * A copy of what is about to be logged in which members with such a name are masked. Failures stay as they are: of
 * them `describeFailure` gives a `code` that is a name, not a secret.
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

/** A failure as it is logged. */
interface DescribedFailure {
  readonly type: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: DescribedFailure;
  readonly [reported: string]: unknown;
}

/** What else is logged of a failure: names that we or the libraries chose, never values. */
const loggedMembers = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine', 'syscall'] as const;
const maxDepth = 5;

/**
 * Gives of a failure only what cannot hold what users sent. What libraries attach to their errors does hold
 * it: whole rows in the details of the database, and every value of the statement that failed.
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
