import type { HeaderLine } from '@zonewright/engine';

/** An example request for a finding, in the format that evaluation takes. */
export interface Witness {
  readonly scheme: 'http' | 'https';
  readonly authority: string;
  readonly target: string;
  readonly method: string;
  readonly headers?: readonly HeaderLine[];
  readonly ip: string;
  readonly country: string;
  readonly asn: number | null;
  /** Only for scenarios. */
  readonly status?: number;
}
