/** A zone with many rules of one kind. */
export interface CrowdedZone {
  readonly zone: string;
  /** A rule in the middle of the order. */
  readonly rule: string;
}
