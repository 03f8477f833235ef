import type { TokenHash } from '@zonewright/core';
import { expect } from 'chai';
import { storedSession } from '../../arrangements/index.ts';
import { aTokenHash } from '../../builders/index.ts';
import { readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { rotated } from './tokens.ts';

/** The session of a token, whatever has become of both. */
export function sessionLookup(storage: () => Storage): void {
  const sessionOf = (hash: TokenHash) => readView(storage(), ({ refreshTokens }) => refreshTokens.sessionOf(hash));

  it('reports an unknown token as unknown', async () => {
    expect(await sessionOf(aTokenHash())).to.equal(undefined);
  });

  it('finds the session even if the token was used or the session has ended', async () => {
    const { userId, sessionId, token } = await storedSession(storage());
    expect(await sessionOf(token), 'live').to.deep.equal({ userId, sessionId });
    const successor = await rotated(storage(), token);
    expect(await sessionOf(token), 'used').to.deep.equal({ userId, sessionId });
    await runUnit(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));
    expect(await sessionOf(successor), 'ended').to.deep.equal({ userId, sessionId });
    await storage().passTime(100_000);
    expect(await sessionOf(successor), 'expired').to.deep.equal({ userId, sessionId });
  });
}
