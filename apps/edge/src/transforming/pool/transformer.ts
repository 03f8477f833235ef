import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job } from '../transformation.ts';
import type { Reply } from '../transformer/main.ts';
import { workerUrl } from './worker-url.ts';

/** What a transformer may use. */
export interface ProcessLimits {
  /** In MiB. */
  readonly memory: number;
  /** Longest start. */
  readonly startMilliseconds: number;
}

/** How long a transformer works on a body. */
export interface Patience {
  readonly milliseconds: number;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** What is nearly done when its client leaves is finished: a new process would take longer than that. */
const graceMilliseconds = 100;

/** The process inherits how this one reads modules, but neither its memory nor a debugger's port. */
const ownFlags = /^--(?:max-|inspect|expose|heap|prof|trace)/;
const flags = [...process.execArgv.filter((flag) => !ownFlags.test(flag)), '--max-old-space-size=64'];

/**
 * Sets the limit of the kernel on memory that is written to, which V8's reservations do not count for, and lets the
 * process yield to those that answer requests. Both replace the shell.
 */
const script = 'ulimit -d "$0" && exec nice -n 5 "$@"';

/** A process that works on one body at a time. Once lost, it works no more. */
export class Transformer {
  /** Whether it could start. */
  readonly ready: Promise<boolean>;
  readonly #child: ChildProcess;
  #settle: (reply: Reply | undefined) => void = () => undefined;
  #isLost = false;

  constructor({ memory, startMilliseconds }: ProcessLimits) {
    const program = [process.execPath, ...flags, fileURLToPath(workerUrl)];
    this.#child = spawn('/bin/sh', ['-c', script, String(memory * 1024), ...program], {
      // Nothing secret. Images are worked on by one thread, and another one reads files.
      env: { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: '2' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.#child.on('error', () => this.kill());
    this.#child.once('exit', () => this.kill());
    this.ready = this.#started(startMilliseconds);
    // An idle process must not keep this one alive; pending promises do.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Undefined if the process was lost over the job. */
  async ask(job: Job, { milliseconds, signal }: Patience): Promise<Reply | undefined> {
    if (this.#isLost) return undefined;
    const deadline = setTimeout(() => this.kill(), milliseconds);
    let grace: NodeJS.Timeout | undefined;
    const shorten = () => {
      grace = setTimeout(() => this.kill(), graceMilliseconds);
    };
    signal.addEventListener('abort', shorten, { once: true });
    if (signal.aborted) shorten();
    try {
      return await this.#reply(() => this.#child.send(job, () => undefined));
    } finally {
      clearTimeout(deadline);
      clearTimeout(grace);
      signal.removeEventListener('abort', shorten);
    }
  }

  kill(): void {
    this.#isLost = true;
    this.#child.kill('SIGKILL');
    this.#settle(undefined);
  }

  async #started(milliseconds: number): Promise<boolean> {
    const deadline = setTimeout(() => this.kill(), milliseconds);
    // The first message says that the process is ready.
    const reply = await this.#reply(() => undefined);
    clearTimeout(deadline);
    return reply !== undefined;
  }

  #reply(begin: () => void): Promise<Reply | undefined> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      // Only our own program runs in it.
      this.#child.once('message', (reply: Reply) => resolve(reply));
      begin();
    });
  }
}
