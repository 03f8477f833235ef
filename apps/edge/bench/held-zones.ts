/**
 * Measures an edge with many zones on disk: how long a start takes until it serves, and the memory of a zone of 20 rules
 * that nobody has asked for yet. `node --import tsx --conditions=@zonewright/source apps/edge/bench/held-zones.ts`, after a
 * build; the number of zones can follow.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { documentOf, listOf, when } from '../test/support/documents.ts';
import { askAt } from '../test/support/running-edge.ts';

const count = Number(process.argv[2] ?? 10_000);
const wanted = { startSeconds: 15, kilobytesPerZone: 40 } as const;
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const access = listOf(
  Array.from({ length: 10 }, (_, index) => ({
    action: 'block',
    conditions: {
      logic: 'and',
      conditions: [
        { field: 'uri', operator: 'matches', value: `^/admin/${index}/[a-z]+\\.php$` },
        { field: 'ip', operator: 'not_in', value: '192.0.2.0/24, 198.51.100.0/24' },
      ],
    },
  })),
);
const configuration = listOf(
  Array.from({ length: 10 }, (_, index) => ({
    conditions: when('uri', 'starts_with', `/shop/${index}`),
    settingsOverrides: { cachingDefaultTtl: index, headersResponseSet: [{ name: 'X-Shop', value: `${index}` }] },
  })),
);

/** A state folder as an edge leaves it. */
function makeState(zones: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'edge-bench-'));
  mkdirSync(join(folder, 'documents'));
  writeFileSync(join(folder, 'key'), `zwe_${'0'.repeat(40)}\n`);
  const stored = Array.from({ length: zones }, (_, index) => {
    const id = `zone-${index}`;
    const { digest, bytes } = documentOf({
      id,
      document: { accessRules: access, configurationRules: configuration },
      checks: [],
    });
    writeFileSync(join(folder, 'documents', `${digest.slice(7)}.json`), bytes);
    return { id, digest, hostnames: [`${id}.example`], needs: [] };
  });
  writeFileSync(
    join(folder, 'zones.json'),
    JSON.stringify({ program: version, position: 'p', zones: stored, rejected: [] }),
  );
  return folder;
}

/** Resident memory of a process, in kilobytes. */
const residentMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

async function measure(zones: number): Promise<{ readonly seconds: number; readonly kilobytes: number }> {
  const folder = makeState(zones);
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--expose-gc', program], {
    env: { SERVICE_URL: 'http://127.0.0.1:9', STATE_DIR: folder, PORT: '0', PRIVATE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"msg":"serving"')) resolve(JSON.parse(line).port);
    });
  });
  if (zones > 0) {
    const { status } = await askAt(port, `zone-${zones - 1}.example`);
    if (status === 421) throw new Error('The zone is not served.');
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const kilobytes = residentMemory(child.pid ?? 0);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true });
  return { seconds, kilobytes };
}

const empty = await measure(0);
const full = await measure(count);
const perZone = (full.kilobytes - empty.kilobytes) / count;
process.stdout.write(
  `${[
    `start with ${count} zones on disk: ${full.seconds.toFixed(2)} s until the first answer (wanted: ${wanted.startSeconds} s)`,
    `memory of a zone of 20 rules that was not asked for: ${perZone.toFixed(1)} KB (wanted: ${wanted.kilobytesPerZone} KB)`,
    `without zones: ${empty.seconds.toFixed(2)} s, ${(empty.kilobytes / 1024).toFixed(0)} MB; with them ${(full.kilobytes / 1024).toFixed(0)} MB`,
  ].join('\n')}\n`,
);
process.exitCode = full.seconds <= wanted.startSeconds && perZone <= wanted.kilobytesPerZone ? 0 : 1;
