/** The origin of a request, as far as it is stored. */
export interface Client {
  /** Network address, with IPv6 reduced to its /64; absent for calls that did not come over a network. */
  readonly network: string | undefined;
  /** At most 200 characters. */
  readonly userAgent: string | undefined;
}
