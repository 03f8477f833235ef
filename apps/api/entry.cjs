/**
 * The source of `dist/main.js`. Slow hashes run on libuv's threads, whose number has to be set before the first of them
 * starts. Loading an ES module starts them, so this file is a CommonJS module that loads one.
 */
const { readdirSync, stat } = require('node:fs');
const { availableParallelism, getPriority, setPriority } = require('node:os');

/** Threads for DNS and files, in addition to one hashing thread per core. */
const otherThreads = 4;

/**
 * About a tenth of the weight of the thread that answers requests: it runs first whenever it has work, and hashes get the
 * rest. Enough not to be starved by other programs on the machine.
 */
const lower = 10;

// Defined as in Node 21 and later. Otherwise the database driver detects the runtime by `Response`, which loads all of `fetch`.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node}` };

process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + otherThreads);

/** Thread ids of this process, if the system provides them (Linux). */
const threads = () => {
  try {
    return readdirSync('/proc/self/task');
  } catch {
    return [];
  }
};

const priority = Math.min(19, getPriority() + lower);
const before = new Set(threads());
// The first use of the pool starts all of its threads.
stat(__filename, () => undefined);
for (const thread of threads().filter((each) => !before.has(each))) {
  try {
    setPriority(Number(thread), priority);
  } catch {
    // If the system does not allow it, hashes run at normal priority.
  }
}

import('./service.mjs').catch((error) => {
  if (!String(error.code).endsWith('MODULE_NOT_FOUND')) throw error;
  process.stderr.write(`The service cannot be loaded (${error.message}): install the dependencies and build first.\n`);
  process.exit(1);
});
