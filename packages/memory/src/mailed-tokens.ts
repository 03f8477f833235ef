import { emailKey, type MailedTokens, mailedTokenInvalid } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { later, type Unit } from './tables.ts';

export const memoryMailedTokens = ({ tables: { mailedTokens, users }, now }: Unit): MailedTokens => ({
  issue: ({ hash, userId, purpose, lifetimeSeconds }) => {
    const user = users.get(userId);
    if (user === undefined) throw new Error('A token was issued for an account that does not exist.');
    for (const [other, token] of mailedTokens) {
      if (token.userId === userId && token.purpose === purpose) mailedTokens.delete(other);
    }
    const { credentialsVersion, email } = user;
    mailedTokens.set(hash, {
      userId,
      purpose,
      credentialsVersion,
      email: emailKey(email),
      expiresAt: later(now(), lifetimeSeconds),
    });
    return okAsync();
  },
  redeem: (hash, purpose) => {
    const token = mailedTokens.get(hash);
    const user = token && users.get(token.userId);
    const live =
      token?.purpose === purpose && token.expiresAt > now() && user?.credentialsVersion === token.credentialsVersion;
    if (!live) return errAsync(mailedTokenInvalid());
    mailedTokens.delete(hash);
    return okAsync({ userId: token.userId, email: token.email });
  },
});
