import {
  emailKey,
  type MailedTokenPurpose,
  type MailedTokens,
  mailedTokenInvalid,
  type TokenHash,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { secondsAfter } from '../seconds-after.ts';
import { type Unit } from '../tables/tables.ts';

export const memoryMailedTokens = ({ tables: { mailedTokens, users }, now }: Unit): MailedTokens => {
  const live = (hash: TokenHash, purpose: MailedTokenPurpose) => {
    const token = mailedTokens.get(hash);
    const isLive =
      token?.purpose === purpose &&
      !token.used &&
      token.expiresAt > now() &&
      users.get(token.userId)?.credentialsVersion === token.credentialsVersion;
    return isLive ? token : undefined;
  };
  return {
    issue: ({ hash, userId, purpose, lifetimeSeconds }) => {
      const user = users.get(userId);
      if (user === undefined) throw new Error('The account of the token does not exist.');
      for (const [other, token] of mailedTokens) {
        if (token.userId === userId && token.purpose === purpose) mailedTokens.set(other, { ...token, used: true });
      }
      const { credentialsVersion, email } = user;
      const [createdAt, expiresAt] = [now(), secondsAfter(now(), lifetimeSeconds)];
      const issued = { userId, purpose, credentialsVersion, email: emailKey(email), createdAt, expiresAt, used: false };
      mailedTokens.set(hash, issued);
      return okAsync();
    },
    lockIssuedCount: (userId, purpose, seconds) => {
      const tokens = [...mailedTokens.values()].filter((token) => token.userId === userId && token.purpose === purpose);
      return okAsync(tokens.filter(({ createdAt }) => secondsAfter(createdAt, seconds) > now()).length);
    },
    holder: (hash, purpose) => {
      const token = live(hash, purpose);
      return token === undefined ? errAsync(mailedTokenInvalid()) : okAsync(token.userId);
    },
    redeem: (hash, purpose) => {
      const token = live(hash, purpose);
      if (token === undefined) return errAsync(mailedTokenInvalid());
      mailedTokens.set(hash, { ...token, used: true });
      return okAsync({ userId: token.userId, email: token.email });
    },
  };
};
