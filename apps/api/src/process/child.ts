import type { ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';

/** A process that this one has started. */
export interface Child {
  /** Calls back when it begins to listen. */
  onceListening(then: () => void): void;
  /** Calls back when it has ended, also if it could not be started. */
  onceEnded(then: (end: End) => void): void;
  /** Asks it to finish its requests and exit. */
  end(): void;
}

/** How a process ended. */
export interface End {
  /** Its id. */
  readonly process: number | undefined;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Where the events of a process are, and which of them says that it listens. */
interface Events {
  readonly of: EventEmitter;
  readonly listening: string;
}

/** What is needed of a process to supervise it. */
export const childOf = (started: ChildProcess, { of, listening }: Events): Child => ({
  onceListening: (then) => void of.once(listening, () => then()),
  onceEnded: (then) => {
    const { pid } = started;
    of.once('exit', (exitCode: number | null, signal: string | null) => then({ process: pid, exitCode, signal }));
    of.on('error', () => {
      if (pid === undefined) then({ process: pid, exitCode: null, signal: null });
    });
  },
  end: () => void started.kill('SIGTERM'),
});
