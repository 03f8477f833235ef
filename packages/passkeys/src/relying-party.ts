/** The site that passkeys are made for (Web Authentication Level 3, "Relying Party"). */
export interface RelyingParty {
  /** The host name that passkeys are bound to, without a port: they work nowhere else. */
  readonly id: string;
  /** Shown by some authenticators. */
  readonly name: string;
  /** The origins of pages that may use them; their hosts are `id` or end with it. */
  readonly origins: readonly string[];
}
