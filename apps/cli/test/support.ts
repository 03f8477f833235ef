import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openDeployment, openInstallation } from '../src/installation.ts';
import { run } from '../src/program.ts';
import { emptyDatabase } from './database.ts';

/** The result of a command. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Standard input; with `answers` it is a terminal where they are typed. */
interface Input {
  readonly stdin?: string;
  readonly answers?: string;
}

/** Runs commands on a separate database, interactively or as a script. */
export interface Shell {
  readonly env: NodeJS.ProcessEnv;
  readonly run: (args: string, input?: Input) => Promise<Outcome>;
  /** The JSON output of a command that must succeed. */
  readonly json: (args: string) => Promise<unknown>;
  /** Direct access to the installation, to arrange and inspect data. */
  readonly open: () => ReturnType<typeof openInstallation>;
}

/** Every shell has its own database; `create` resolves to its URL. */
export function shell(create: () => Promise<string> = emptyDatabase): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-cli-'));
  const env: NodeJS.ProcessEnv = { DATA_DIR: folder, PUBLIC_BASE_URL: 'http://localhost:3000' };
  before(async () => {
    env['DATABASE_URL'] = await create();
  });
  after(() => rmSync(folder, { recursive: true }));
  const runIn = async (args: string, input: Input = {}) => outcomeOf(args, env, input);
  return {
    env,
    run: runIn,
    json: async (args) => {
      const { code, out, err } = await runIn(`${args} --json`);
      if (code !== 0) throw new Error(`The command failed: ${out}${err}`);
      return JSON.parse(out);
    },
    open: async () => openInstallation(await openDeployment(env), 'test'),
  };
}

async function outcomeOf(args: string, env: NodeJS.ProcessEnv, { stdin = '', answers }: Input): Promise<Outcome> {
  const isTTY = answers !== undefined;
  const streams = {
    stdin: Object.assign(new PassThrough().end(answers ?? stdin), { isTTY }),
    stdout: new PassThrough(),
    stderr: Object.assign(new PassThrough(), { isTTY }),
  };
  const [out, err] = [text(streams.stdout), text(streams.stderr)];
  const code = await run(args.split(' '), env, streams);
  streams.stdout.end();
  streams.stderr.end();
  return { code, out: await out, err: await err };
}
