import type { Caller, Membership, OrganizationId } from '@zonewright/core';

/** One row a membership of somebody; a row of nulls for somebody without any. */
export type MembershipRow =
  | (Membership & { readonly organization: OrganizationId })
  | { readonly organization: null; readonly role: null; readonly needsTwoFactor: null };

export const membershipsOf = (rows: readonly MembershipRow[]): Caller['memberships'] =>
  new Map(
    rows.flatMap(({ organization, role, needsTwoFactor }) =>
      organization === null ? [] : [[organization, { role, needsTwoFactor }] as const],
    ),
  );
