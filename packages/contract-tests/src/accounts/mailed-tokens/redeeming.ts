import { aTokenHash } from '../../builders/index.ts';
import { okOf } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { isRefused, issued, redeem } from './tokens.ts';

/** The redemption of a token, which happens once. */
export function redeeming(storage: () => Storage): void {
  it('refuses a token that was never issued', async () => {
    await isRefused(storage(), aTokenHash());
  });

  it('refuses a token for another purpose, and keeps it valid', async () => {
    const { hash } = await issued(storage());
    await isRefused(storage(), hash, 'reset-password');
    await okOf(redeem(storage(), hash));
  });

  it('accepts a token once, until it expires', async () => {
    const [used, late] = [
      await issued(storage(), { lifetimeSeconds: 3600 }),
      await issued(storage(), { lifetimeSeconds: 3600 }),
    ];
    await storage().passTime(3500);
    await okOf(redeem(storage(), used.hash));
    await isRefused(storage(), used.hash);
    await storage().passTime(100);
    await isRefused(storage(), late.hash);
  });
}
