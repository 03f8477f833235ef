import type { UserId } from '@zonewright/core';

/** What authenticators know a user by: the 16 bytes of the id, which say nothing about the person. */
export const userHandleOf = (user: UserId): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(user.replaceAll('-', ''), 'hex'));
