import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

/** What requests to another zone met. */
export interface Met {
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const intervalMilliseconds = 20;
/** Not one that attackers come from. */
const localAddress = '127.200.0.1';

/** Asks a zone again and again, whether or not earlier requests have been answered, until `stop` is called. */
export function visit(port: number, host: string): { readonly stop: () => Promise<Met> } {
  const agent = new Agent({ keepAlive: true });
  const durations: number[] = [];
  const statuses: Record<string, number> = {};
  const pending = new Set<Promise<void>>();
  const once = async (): Promise<void> => {
    const began = performance.now();
    const status = await statusOf(agent, port, host);
    durations.push(performance.now() - began);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const timer = setInterval(() => {
    const asked = once();
    pending.add(asked);
    void asked.finally(() => pending.delete(asked));
  }, intervalMilliseconds);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(pending);
      agent.destroy();
      const sorted = durations.toSorted((a, b) => a - b);
      const at = (part: number): number =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
      return { statuses, p50: at(0.5), p99: at(0.99), max: at(1) };
    },
  };
}

const statusOf = (agent: Agent, port: number, host: string): Promise<number> =>
  new Promise((resolve) => {
    const gone = (): void => resolve(0);
    request({ agent, port, host: '127.0.0.1', localAddress, headers: { Host: host }, timeout: 10_000 })
      .on('response', (response) => {
        response
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', gone)
          .resume();
      })
      .on('timeout', function (this: { destroy(): void }) {
        this.destroy();
      })
      .on('error', gone)
      .end();
  });

/** The resident memory of a process and those that it has started, in MiB. */
export function megabytesOf(pid: number): number {
  const children = familyOf(pid);
  return children.reduce((sum, each) => sum + residentOf(each), 0);
}

function familyOf(pid: number): readonly number[] {
  const tasks = read(`/proc/${pid}/task`, (path) => readdirSync(path)) ?? [];
  const children = tasks.flatMap((task) =>
    (read(`/proc/${pid}/task/${task}/children`, (path) => readFileSync(path, 'utf8')) ?? '').split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

const residentOf = (pid: number): number => {
  const status = read(`/proc/${pid}/status`, (path) => readFileSync(path, 'utf8')) ?? '';
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
};

/** The open file descriptors of a process. */
export const descriptorsOf = (pid: number): number => read(`/proc/${pid}/fd`, (path) => readdirSync(path))?.length ?? 0;

/** The most that it may have. */
export const maxDescriptorsOf = (pid: number): number =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]);

/** Undefined if the process has ended by now. */
function read<T>(path: string, reader: (path: string) => T): T | undefined {
  try {
    return reader(path);
  } catch {
    return undefined;
  }
}
