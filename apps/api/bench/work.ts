import type { DataSet } from './data-set.ts';
import type { Source } from './load.ts';

/** One kind of work: what each connection sends to the floor and to the service, and the ratio asked for. */
export interface Work {
  readonly name: string;
  /** Service to floor, answers per second: below `hold` it is too slow, at `aim` it is as fast as we want it. */
  readonly hold: number;
  readonly aim: number;
  readonly floor: readonly Source[];
  readonly service: readonly Source[];
  /** Both answer the same bytes, and it is checked that they do. */
  readonly isSame?: true;
}

/** What the floor's token and the service's tokens are, and what there is to work on. */
export interface Stage {
  readonly data: DataSet;
  readonly floorToken: string;
  /** Asked for every request: access tokens expire. */
  readonly serviceToken: () => string;
  readonly servicePort: number;
  readonly floorPort: number;
}
