import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const deploy = join(import.meta.dirname, '../../deploy');

const only = (file: string, pattern: RegExp): number => {
  const [, figure] = pattern.exec(readFileSync(join(deploy, file), 'utf8')) ?? [];
  return Number(figure);
};

/** Memory of a process as shipped, in MiB: what the supervisor allows, and the heap that Node is given. */
export const shippedSize = {
  limit: only('zonewright.service', /^MemoryMax=(\d+)M$/m),
  heap: only('zonewright.service', /^ExecStart=\S+ --max-old-space-size=(\d+) /m),
} as const;

/** The same figures, as other files state them. */
export const restatements = (): readonly { readonly limit: number; readonly heap: number }[] => {
  const operations = '../../../docs/operations.md';
  return [
    {
      limit: only('compose.yaml', /^ {4}mem_limit: (\d+)m$/m),
      heap: only('Dockerfile', /^ENTRYPOINT \["node", "--max-old-space-size=(\d+)"\]$/m),
    },
    {
      limit: only(operations, /^Plan \*\*(\d+) MiB\*\* of memory/m),
      heap: only(operations, /^\| heap of the process .*\| (\d+) /m),
    },
  ];
};
