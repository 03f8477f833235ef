import { rollBack } from '../../arrangements/index.ts';
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

  it('accepts a token until it expires', async () => {
    const { hash } = await issued(storage(), { lifetimeSeconds: 3600 });
    await storage().passTime(3500);
    await okOf(redeem(storage(), hash));
  });

  it('refuses a token once it has expired', async () => {
    const { hash } = await issued(storage(), { lifetimeSeconds: 3600 });
    await storage().passTime(3600);
    await isRefused(storage(), hash);
  });

  it('refuses a used token', async () => {
    const { hash } = await issued(storage());
    await okOf(redeem(storage(), hash));
    await isRefused(storage(), hash);
  });

  it('does not spend the token in a unit that is rolled back', async () => {
    const { hash } = await issued(storage());
    await rollBack(storage(), ({ mailedTokens }) => mailedTokens.redeem(hash, 'verify-email'));
    await okOf(redeem(storage(), hash));
  });
}
