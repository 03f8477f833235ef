import type { Profile } from '@zonewright/core';
import { byCallerKind, type CallerRow } from './callers.ts';

/** Reads the profile of a known user, or of a credential's holder. */
export const profileStatements = byCallerKind('accounts/profile.sql', ['session', 'apiToken', 'known']);

/** A profile, along with the caller. */
export type ProfileRow = Profile & CallerRow;

/** The profile without the columns of the caller. */
export const profileIn = ({
  userId: _,
  credentialId: __,
  readOnly: ___,
  scoped: ____,
  unnoted: _____,
  memberships: ______,
  ...profile
}: ProfileRow): Profile => profile;
