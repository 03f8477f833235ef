import type { z } from 'zod';

/** The pages that mails link to. */
export interface MailPages {
  readonly verifyEmailUrl: string;
  readonly confirmEmailUrl: string;
  readonly undoEmailUrl: string;
  readonly resetPasswordUrl: string;
  readonly acceptInvitationUrl: string;
}

/** Their variables in the environment. */
export const mailPageVariables = <S extends z.ZodType>(page: S) => ({
  VERIFY_EMAIL_URL: page,
  CONFIRM_EMAIL_URL: page,
  UNDO_EMAIL_URL: page,
  RESET_PASSWORD_URL: page,
  ACCEPT_INVITATION_URL: page,
});

type Given = Readonly<Partial<Record<keyof ReturnType<typeof mailPageVariables>, string | undefined>>>;

/** The given pages, or those of the service itself. */
export const mailPagesIn = (given: Given, publicBaseUrl: string): MailPages => ({
  verifyEmailUrl: given.VERIFY_EMAIL_URL ?? `${publicBaseUrl}/verify-email`,
  confirmEmailUrl: given.CONFIRM_EMAIL_URL ?? `${publicBaseUrl}/confirm-email`,
  undoEmailUrl: given.UNDO_EMAIL_URL ?? `${publicBaseUrl}/undo-email`,
  resetPasswordUrl: given.RESET_PASSWORD_URL ?? `${publicBaseUrl}/reset-password`,
  acceptInvitationUrl: given.ACCEPT_INVITATION_URL ?? `${publicBaseUrl}/accept-invitation`,
});
