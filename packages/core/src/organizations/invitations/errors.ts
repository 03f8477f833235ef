/** The organization has no invitation with this id. */
export const invitationNotFound = () => ({ type: 'InvitationNotFound' }) as const;
export type InvitationNotFound = ReturnType<typeof invitationNotFound>;

/** The address already has a pending invitation to the organization. */
export const invitationPending = () => ({ type: 'InvitationPending' }) as const;
export type InvitationPending = ReturnType<typeof invitationPending>;

/** The invitation is no longer pending, so it cannot be resent. */
export const invitationEnded = () => ({ type: 'InvitationEnded' }) as const;
export type InvitationEnded = ReturnType<typeof invitationEnded>;

/** The invitation has been resent as often as allowed. */
export const invitationResendLimit = () => ({ type: 'InvitationResendLimit' }) as const;
export type InvitationResendLimit = ReturnType<typeof invitationResendLimit>;

/** The token is unknown, used, revoked, replaced or expired, or the inviter may no longer grant its role. */
export const invitationTokenInvalid = () => ({ type: 'InvitationTokenInvalid' }) as const;
export type InvitationTokenInvalid = ReturnType<typeof invitationTokenInvalid>;

/** The invitation was sent to a different address. */
export const invitationForAnother = () => ({ type: 'InvitationForAnother' }) as const;
export type InvitationForAnother = ReturnType<typeof invitationForAnother>;
