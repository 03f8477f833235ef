import { setTimeout as delay } from 'node:timers/promises';

/** Polls until the condition returns a value, and resolves to it; rejects on timeout. */
export async function until<T>(
  condition: () => T | Promise<T>,
  { seconds = 20 }: { readonly seconds?: number } = {},
): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + seconds * 1000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > giveUpAt) throw new Error(`Not within ${seconds} seconds: ${condition.toString()}`);
    await delay(10);
  }
}
