/** `$host` as the whole host of a URL, with or without a port. */
const ownHost = /^(https?:\/\/)\$host(?=(?::[0-9]{1,5})?(?:[/?#]|$))/;

/** Whether a target leads to the host of the request. */
export const leadsToOwnHost = (target: string): boolean => ownHost.test(target);

/** The target with this host instead of `$host`. */
export const withOwnHost = (target: string, host: string): string =>
  target.replace(ownHost, (_, scheme: string) => scheme + host);

/**
 * The target with a literal host instead of `$host`, for checks: visitors cannot choose the host that they send, so it is
 * as good as a literal one. Of the same length, so that positions stay.
 */
export const withLiteralHost = (target: string): string => withOwnHost(target, 'local');
