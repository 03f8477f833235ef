import type { DataSet } from './data-set.ts';
import type { Source } from './load.ts';

/** One workload: the requests to both servers and the target ratio. */
export interface Work {
  readonly name: string;
  /** The run fails if the service's throughput relative to the floor's is lower. */
  readonly hold?: number;
  readonly floor: readonly Source[];
  readonly service: readonly Source[];
  /** Whether both must return the same bytes, which is checked. */
  readonly isSame?: true;
}

/** The tokens for both servers, and the data to work on. */
export interface Stage {
  readonly data: DataSet;
  readonly floorToken: string;
  /** Called for every request, because access tokens expire. */
  readonly serviceToken: () => string;
  readonly servicePort: number;
  readonly floorPort: number;
}

/** The work of a name. Throws if there is none. */
export function workNamed(works: readonly Work[], name: string): Work {
  const work = works.find((each) => each.name === name);
  if (work === undefined) throw new Error(`There is no work "${name}".`);
  return work;
}
