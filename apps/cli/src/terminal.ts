import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailure, exitCodes } from './failure.ts';

/** Output and prompts of commands. */
export interface Terminal {
  /** Writes results to standard output. Resolves when more can be written. */
  print(text: string): Promise<void>;
  /** Writes messages to standard error. */
  explain(line: string): void;
  /** Asks to confirm an irreversible action. Rejects unless the answer is yes, or when nobody can answer. */
  confirm(question: string): Promise<void>;
  /** Reads all of standard input. */
  input(): Promise<string>;
  /** Shows the progress of long operations, only in a terminal. */
  progress(label: string, total: number): Progress;
}

/** A line that is updated in place. */
export interface Progress {
  advance(): void;
  end(): void;
}

/** The standard streams, or their replacements in tests. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** A terminal on the given streams; `assumeYes` confirms everything. */
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
    const answer = await answerTo(`${question} [y/N] `, stdin, stderr);
    if (answer === 'interrupted') throw new CommandFailure(['', 'Nothing was changed.'], exitCodes.interrupted);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure(['Nothing was changed.']);
  },
  input: () => text(stdin),
  progress: (label, total) => (stderr.isTTY === true ? progressOn(stderr, label, total) : silent),
});

/** What is typed; nothing if the input ends first. */
async function answerTo(question: string, input: Readable, output: Writable): Promise<string> {
  const prompt = createInterface({ input, output });
  const ended = once(prompt, 'close').then(() => '');
  const interrupted = once(prompt, 'SIGINT').then(() => 'interrupted');
  const answer = await Promise.race([prompt.question(question), interrupted, ended]);
  prompt.close();
  return answer;
}

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
