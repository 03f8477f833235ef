/** A request costs one point, and one more for each `millisecondsPerPoint` of work. */
export const millisecondsPerPoint = 10;

/** A request costs one more point for each unit of bytes of its body: this bounds the bytes written per window. */
export const bytesPerPoint = 64 * 1024;

/** What a request took beyond an ordinary one. */
export interface Work {
  /** Milliseconds that its long steps took, without waiting for their turn. */
  readonly milliseconds: number;
  /** The size of its body. */
  readonly bytes: number;
}

/** The points that a request costs beyond its first. */
export const extraPoints = ({ milliseconds, bytes }: Work): number =>
  Math.floor(milliseconds / millisecondsPerPoint) + Math.floor(bytes / bytesPerPoint);
