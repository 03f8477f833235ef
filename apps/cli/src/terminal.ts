import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailure, exitCodes } from './failure.ts';

/** Where commands write, and whom they ask. */
export interface Terminal {
  /** What was asked for: standard output. Resolves when there is room for more. */
  print(text: string): Promise<void>;
  /** What is said about the work: standard error. */
  explain(line: string): void;
  /** Asks for a yes before something that cannot be undone. Rejects when the answer is another one, or nobody can answer. */
  confirm(question: string): Promise<void>;
  /** All of standard input. */
  input(): Promise<string>;
  /** Shows how far long work has come, in a terminal only. */
  progress(label: string, total: number): Progress;
}

/** A line that is written again and again. */
export interface Progress {
  advance(): void;
  end(): void;
}

/** Standard streams, or what a test has in their place. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** A terminal on the streams; `assumeYes` answers every question. */
export const terminalOn = ({ stdin, stdout, stderr }: Streams, assumeYes: boolean): Terminal => ({
  print: (output) =>
    new Promise((resolve, reject) => {
      stdout.write(`${output}\n`, (error) => (error instanceof Error ? reject(error) : resolve()));
    }),
  explain: (line) => {
    stderr.write(`${line}\n`);
  },
  confirm: async (question) => {
    if (assumeYes) return;
    if (stdin.isTTY !== true || stderr.isTTY !== true) {
      throw new CommandFailure([`${question} Confirm with --yes.`], exitCodes.misused);
    }
    const asking = createInterface({ input: stdin, output: stderr });
    const answer = await asking.question(`${question} [y/N] `).finally(() => asking.close());
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure(['Nothing was changed.']);
  },
  input: () => text(stdin),
  progress: (label, total) => (stderr.isTTY === true ? progressOn(stderr, label, total) : silent),
});

const silent: Progress = { advance: () => undefined, end: () => undefined };
const width = 30;

function progressOn(stderr: Writable, label: string, total: number): Progress {
  let done = 0;
  let shown = -1;
  const show = () => {
    const share = total === 0 ? 1 : done / total;
    const filled = Math.floor(share * width);
    const percent = Math.floor(share * 100);
    if (percent === shown) return;
    shown = percent;
    stderr.write(`\r${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total}`);
  };
  show();
  return {
    advance: () => {
      done += 1;
      show();
    },
    end: () => {
      stderr.write('\n');
    },
  };
}
