const mebibyte = 1024 * 1024;

/**
 * What a zone, and what a client, may have of what a process has. Beyond a bound, requests of that zone or client are
 * refused, and nobody else's. docs/security.md says what each bound costs the others, and names its test.
 */
export const shareBounds = {
  /** Per zone. */
  zone: {
    /**
     * Milliseconds of evaluation in a second, beyond `evaluationFree` for each request: what that takes is less than
     * answering it takes in any case. What is not used is kept up to `evaluationKept`.
     */
    evaluationPerSecond: 100,
    evaluationKept: 200,
    evaluationFree: 0.1,
    /** Requests that origins are being asked about at a time. */
    originRequests: 1000,
    /** Requests that wait because there are as many, and how long. */
    waiting: 200,
    waitSeconds: 5,
    /** Open WebSockets. */
    upgrades: 1000,
    /** Bytes of bodies that are held back. */
    bufferedBytes: 32 * mebibyte,
    /** Servers, by TLS times host names, to which connections are kept. */
    pools: 64,
  },
  /** Per client network: an IPv4 address, or a /56 of IPv6, which is what one subscriber usually gets. */
  client: {
    connections: 500,
    /** As above, of one zone. */
    originRequests: 250,
    waiting: 50,
    upgrades: 250,
  },
  /** Of all zones together. */
  process: {
    bufferedBytes: 64 * mebibyte,
  },
};
/** As `shareBounds`. */
export type ShareBounds = Readonly<{ [Part in keyof typeof shareBounds]: Readonly<(typeof shareBounds)[Part]> }>;

/** What a request was refused for. */
export type Share = 'evaluation' | 'originRequests' | 'waiting' | 'upgrades' | 'connections';
