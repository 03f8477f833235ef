/** Where a request comes from, as far as it is remembered. */
export interface Client {
  /** Network address, IPv6 reduced to its /64; absent for calls that came over no network. */
  readonly network: string | undefined;
  /** At most 200 characters. */
  readonly userAgent: string | undefined;
}
