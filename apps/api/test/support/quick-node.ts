import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { format } from 'node:util';
import { runInThisContext } from 'node:vm';

/** A `node` for shell scripts that runs in this process. */
export interface QuickNode {
  /** The folder of the program, for the front of the `PATH`. */
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * Evaluates `node -e` and `node -p` of scripts that read everything from their input, and print: to start Node takes five
 * times as long. The program passes flag, script, arguments and input on to this process, each ended by a zero byte.
 */
export async function quickNode(): Promise<QuickNode> {
  const server = createServer((request, response) => {
    const answer = (call: Buffer) => {
      const { code, output } = evaluated(call.toString());
      response.writeHead(code === 0 ? 200 : 422).end(output);
    };
    buffer(request).then(answer, () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-node-'));
  writeFileSync(join(folder, 'node'), program(port));
  chmodSync(join(folder, 'node'), 0o755);
  return {
    folder,
    close: async () => {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Only scripts that read their input get it: it may be that of the whole shell script. */
const program = (port: number): string => `#!/bin/sh
output=$({
  printf '%s\\0' "$#" "$@"
  case "$2" in *'readFileSync(0'*) cat ;; esac
} | curl -s --fail-with-body --data-binary @- http://127.0.0.1:${port}/) && code=0 || code=1
[ "$code" = 0 ] || exec >&2
[ -z "$output" ] || printf '%s\\n' "$output"
exit "$code"
`;

/** Thrown by the script's \`process.exit\`. */
class Exit extends Error {}

/** What the script prints, to its output if it succeeds, and otherwise to its errors. */
function evaluated(call: string): { readonly code: number; readonly output: string } {
  const [count = '', ...parts] = call.split('\0');
  const [flag = '', script = '', ...args] = parts.slice(0, Number(count));
  const input = parts.slice(Number(count)).join('\0');
  const lines: string[] = [];
  const print = (...values: unknown[]) => void lines.push(format(...values));
  const exit = () => {
    throw new Exit();
  };
  const loads = createRequire(import.meta.url);
  const surroundings = {
    require: (name: string) => (name === 'fs' ? { readFileSync: () => input } : (loads(name) as unknown)),
    process: { argv: [process.execPath, ...args], exit },
    console: { log: print, error: print },
  };
  try {
    const body = flag === '-p' ? `console.log(${script})` : script;
    // The function takes what its head names.
    const run = runInThisContext(`(({ require, process, console }) => { ${body} })`) as (given: object) => void;
    run(surroundings);
    return { code: 0, output: lines.join('\n') };
  } catch (error) {
    return { code: 1, output: [...lines, ...(error instanceof Exit ? [] : [String(error)])].join('\n') };
  }
}
