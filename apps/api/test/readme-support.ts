import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { entryPoint } from './support/entry-point.ts';
import { quickNode } from './support/quick-node.ts';

/** The repository root. */
export const root = join(import.meta.dirname, '../../..');

/** The text of a file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages of the project. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The service as a separate process, started from the sources. */
export interface Service {
  readonly url: string;
  /** Its output so far. */
  output(): string;
  /** Stops it with SIGTERM and resolves to its exit code; null if a signal ended it. */
  stop(): Promise<number | null>;
}

/** Resolves when the service is ready; rejects with its output if it exits first. */
export async function startService(env: Readonly<Record<string, string>>): Promise<Service> {
  const clean = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, entryPoint, { cwd: root, env: { ...clean, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const url = `http://localhost:${env['PORT']}`;
  while (!(await isReady(url))) {
    if (hasEnded(child)) throw new Error(`The service did not start:\n${output}`);
    await delay(50);
  }
  return { url, output: () => output, stop: () => stop(child) };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function stop(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  return child.exitCode;
}

/** A port that was free a moment ago, for an environment variable. */
export const freePort = async (): Promise<string> => String(await getPort({ host: '127.0.0.1' }));

/** A `sh` block of a document and the nearest heading above it. */
export interface Step {
  readonly heading: string;
  readonly script: string;
}

/** The shell commands of a document in order, optionally of one second-level section. */
export function stepsIn(path: string, section?: string): readonly Step[] {
  const text = read(path);
  const chosen = section === undefined ? text : (text.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '');
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, script] of chosen.matchAll(/^#+ (.*)$|^```sh\n([^]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else steps.push({ heading, script: script ?? '' });
  }
  return steps;
}

const mark = '=== end of step ===';

/**
 * Runs the steps as one bash script that stops at the first failure; returns each step's output. `replace` maps texts
 * of the document to those of this run. Scripts for Node run in this process.
 */
export async function runSteps(
  steps: readonly Step[],
  replace: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const node = await quickNode();
  try {
    return await runStepsWith(node.folder, steps, replace);
  } finally {
    await node.close();
  }
}

/** The same with the programs of a folder, such as Node's own. */
export async function runStepsWith(
  programs: string,
  steps: readonly Step[],
  replace: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  // What a step leaves running would keep the output open after a failure.
  const begin = ['set -e -o pipefail', "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT"];
  const script = [...begin, ...steps.flatMap(({ script }) => [script, `echo '${mark}'`])].join('\n');
  const replaced = Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(from, to), script);
  const env = { ...process.env, PATH: [programs, process.env['PATH']].join(delimiter) };
  const outputs = (await outputOf(replaced, env)).split(mark);
  const printed = new Map<string, string>();
  for (const [index, { heading }] of steps.entries()) {
    printed.set(heading, `${printed.get(heading) ?? ''}${outputs[index] ?? ''}`.trim());
  }
  return printed;
}

/** Rejects with the script's output, without the script itself. */
const outputOf = (script: string, env: NodeJS.ProcessEnv): Promise<string> =>
  promisify(execFile)('bash', ['-c', script], { env, timeout: 100_000 }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`A command failed after this output:\n${stdout}\n${stderr}`);
    },
  );
