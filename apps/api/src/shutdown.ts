/** Seconds after which a shutdown that hangs is given up. */
const patienceSeconds = 20;

/** One Ctrl-C may arrive twice, from the terminal and passed on by a package manager: that is not a second request. */
const sameSignalMilliseconds = 50;

/** How a process answers to signals. */
export interface Exits {
  /** Another process decides when a shutdown is cut short; signals that come to both mean one shutdown. */
  readonly isPatient?: boolean;
}

/** The one way out of the process: closes what was opened, last first, and exits. */
export interface Shutdown {
  /** Registers something to close. May be called before it is open: then `close` has to wait for that. */
  onClose(close: () => Promise<void>): void;
  isUnderWay(): boolean;
  /** Exits with `exitCode`, or with a worse one when something fails on the way. Later calls only make the code worse. */
  begin(exitCode: 0 | 1): void;
}

/** Writes down what ended the process or failed while it ended. */
export type ReportDefect = (message: string, error?: unknown) => void;

/**
 * Drains on SIGTERM and SIGINT (exit 0) and on errors that were not caught (exit 1). A second signal or 20 seconds end
 * the process at once with exit 1.
 */
export function handleExits(report: ReportDefect, { isPatient = false }: Exits = {}): Shutdown {
  const closers: (() => Promise<void>)[] = [];
  let startedAt: number | undefined;
  const shutdown: Shutdown = {
    onClose: (close) => void closers.push(close),
    isUnderWay: () => startedAt !== undefined,
    begin: (exitCode) => {
      process.exitCode = Math.max(exitCode, Number(process.exitCode ?? 0));
      if (startedAt !== undefined) return;
      startedAt = performance.now();
      setTimeout(() => giveUp('the shutdown took too long', report), patienceSeconds * 1000);
      void closeAll(closers, report).then(() => process.exit());
    },
  };
  const onSignal = () => {
    if (startedAt === undefined) shutdown.begin(0);
    else if (!isPatient && performance.now() - startedAt > sameSignalMilliseconds)
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
