/** More turns of the event loop than anything on this machine needs to move on. */
const manyTurns = 1000;

/**
 * Resolves to a number once it has stopped changing. For tests in which client, edge and origin share this process: each
 * turn of its event loop moves all of them on.
 */
export async function still(read: () => number): Promise<number> {
  let last = read();
  for (let turns = 0; turns < manyTurns; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const present = read();
    if (present !== last) turns = 0;
    last = present;
  }
  return last;
}
