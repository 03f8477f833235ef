import type { Profile } from '@zonewright/core';
import type { CallerRow } from './callers.ts';

/** A profile, along with the caller. */
export type ProfileRow = Profile & CallerRow;

/** The profile without the columns of the caller. */
export const profileIn = ({
  userId: _,
  credentialId: __,
  readOnly: ___,
  scoped: ____,
  tokenLimits: _____,
  unnoted: ______,
  session: _______,
  memberships: ________,
  ...profile
}: ProfileRow): Profile => profile;
