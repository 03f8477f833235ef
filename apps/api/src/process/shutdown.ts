/** Seconds after which a hanging shutdown is aborted. */
const timeoutSeconds = 20;

/** One Ctrl-C may arrive twice, from the terminal and forwarded by a package manager. */
const duplicateSignalMilliseconds = 50;

/** How a process reacts to signals. */
export interface Exits {
  /** Ignores repeated signals: the primary process decides when to cut a shutdown short. */
  readonly ignoresRepeatedSignals?: boolean;
}

/** The only way to exit the process: closes what was opened in reverse order, then exits. */
export interface Shutdown {
  /** Registers a resource to close. May be called while it is still opening; `close` must then wait for that. */
  onClose(close: () => Promise<void>): void;
  isUnderWay(): boolean;
  /** Exits with `exitCode`, or with 1 if closing fails. Later calls can only raise the exit code. */
  begin(exitCode: 0 | 1): void;
}

/** Logs an error that ended the process or occurred while it shut down. */
export type ReportDefect = (message: string, error?: unknown) => void;

/**
 * Shuts down on SIGTERM and SIGINT (exit code 0) and on uncaught errors (exit code 1). A second signal, or 20 seconds,
 * end the process immediately with exit code 1.
 */
export function handleExits(report: ReportDefect, { ignoresRepeatedSignals = false }: Exits = {}): Shutdown {
  const closers: (() => Promise<void>)[] = [];
  let startedAt: number | undefined;
  const shutdown: Shutdown = {
    onClose: (close) => void closers.push(close),
    isUnderWay: () => startedAt !== undefined,
    begin: (exitCode) => {
      process.exitCode = Math.max(exitCode, Number(process.exitCode ?? 0));
      if (startedAt !== undefined) return;
      startedAt = performance.now();
      setTimeout(() => giveUp('the shutdown took too long', report), timeoutSeconds * 1000);
      void closeAll(closers, report).then(() => process.exit());
    },
  };
  const onSignal = () => {
    if (startedAt === undefined) shutdown.begin(0);
    else if (!ignoresRepeatedSignals && performance.now() - startedAt > duplicateSignalMilliseconds)
      giveUp('a second signal cut the shutdown short', report);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      report(event, error);
      shutdown.begin(1);
    });
  }
  return shutdown;
}

function giveUp(reason: string, report: ReportDefect): never {
  report(reason);
  process.exit(1);
}

async function closeAll(closers: readonly (() => Promise<void>)[], report: ReportDefect): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      report('closing failed', error);
      process.exitCode = 1;
    }
  }
}
