/** Cookie names; browsers enforce `Secure` for these prefixes (RFC 6265bis section 4.1.3). */
export const cookieNames = {
  accessToken: '__Host-access_token',
  refreshToken: '__Secure-refresh_token',
  challenge: 'mfa_pending',
  flow: '__Host-sign_in_flow',
} as const;

export type CookieName = keyof typeof cookieNames;
