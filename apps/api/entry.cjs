/**
 * What `dist/main.js` is. Slow hashes are computed on the threads of libuv, whose number must be said before the first of
 * them is made. Loading an ES module makes them: that is why this file is none, and loads one.
 */
const { readdirSync, stat } = require('node:fs');
const { availableParallelism, getPriority, setPriority } = require('node:os');
const { setFlagsFromString } = require('node:v8');

/** Threads for names and files beside those for hashes, one of these a core. */
const otherThreads = 4;

/**
 * A tenth of the weight of the thread that answers requests: it goes first whenever it has something to do, and hashes get
 * the rest. Enough not to be starved by other programs of the machine.
 */
const lower = 10;

/**
 * Percent by which the heap grows until it is collected as a whole. It would be three hundred: tens of megabytes of
 * what is no longer used, to be spared one such collection in a few thousand requests.
 */
setFlagsFromString('--heap-growing-percent=40');

// As Node 21 and later define it. Without it the database driver looks for the runtime in `Response`, which loads all of `fetch`.
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node}` };

process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + otherThreads);

/** Ids of the threads of this process, where the system has them (Linux). */
const threads = () => {
  try {
    return readdirSync('/proc/self/task');
  } catch {
    return [];
  }
};

const priority = Math.min(19, getPriority() + lower);
const before = new Set(threads());
// The first use of the pool makes all of its threads.
stat(__filename, () => undefined);
for (const thread of threads().filter((each) => !before.has(each))) {
  try {
    setPriority(Number(thread), priority);
  } catch {
    // A system that does not allow it hashes with the priority of everything else.
  }
}

import('./service.mjs').catch((error) => {
  if (!String(error.code).endsWith('MODULE_NOT_FOUND')) throw error;
  process.stderr.write(`The service cannot be loaded (${error.message}): install the dependencies and build first.\n`);
  process.exit(1);
});
