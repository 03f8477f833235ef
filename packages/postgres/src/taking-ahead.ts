import type { LimitStanding, RateLimitPolicy } from './rate-limiter.ts';

/** Points that were taken at once, and how the budget stands after that. */
export interface Grant {
  /** Those within the budget; none if it was spent before. */
  readonly points: number;
  readonly standing: LimitStanding;
}

export type TakeSeveral = (policy: RateLimitPolicy, parts: readonly string[], count: number) => Promise<Grant>;

type Take = (policy: RateLimitPolicy, parts: readonly string[]) => Promise<LimitStanding>;

/** Most points that an instance holds ready; so many may be lost to a caller when others hold them. */
const greatestSupply = 10;
/** Budgets with a supply, so that memory is bounded; what is forgotten counts as used. */
const greatestBudgets = 10_000;

interface Supply {
  readonly standing: LimitStanding;
  left: number;
}

/**
 * Takes points a few at a time, so that most requests need no statement. The shared counter decides all the same: what
 * is handed out here was taken there before, so instances together never admit more than the budget. The first point
 * of a window is taken alone, and the fewer are left, the fewer are taken ahead: near its end a budget is exact.
 */
export function takingAhead(takeSeveral: TakeSeveral): Take {
  const supplies = new Map<string, Supply>();
  const underWay = new Map<string, Promise<Grant>>();

  const fetch = async (id: string, policy: RateLimitPolicy, parts: readonly string[]): Promise<Grant> => {
    try {
      const grant = await takeSeveral(policy, parts, nextCount(supplies.get(id)));
      makeRoom(supplies);
      supplies.set(id, { standing: grant.standing, left: grant.points });
      return grant;
    } finally {
      underWay.delete(id);
    }
  };
  return async (policy, parts) => {
    const id = JSON.stringify([policy.name, ...parts]);
    for (;;) {
      const supply = supplies.get(id);
      if (isUsable(supply)) {
        supply.left -= 1;
        return standingWith(supply, policy);
      }
      // One statement at a time for a budget: whoever comes meanwhile shares what it brings.
      const fetching = underWay.get(id) ?? fetch(id, policy, parts);
      underWay.set(id, fetching);
      const { standing } = await fetching;
      if (standing.isExceeded) return standing;
    }
  };
}

const isCurrent = ({ standing }: Supply): boolean => standing.windowEndsAt > Date.now();

const isUsable = (supply: Supply | undefined): supply is Supply =>
  supply !== undefined && supply.left > 0 && isCurrent(supply);

const nextCount = (last: Supply | undefined): number =>
  last === undefined || !isCurrent(last)
    ? 1
    : Math.max(1, Math.min(greatestSupply, Math.floor(last.standing.remaining / 20)));

function makeRoom(supplies: Map<string, Supply>): void {
  const [oldest] = supplies.keys();
  if (oldest !== undefined && supplies.size >= greatestBudgets) supplies.delete(oldest);
}

const standingWith = ({ standing, left }: Supply, policy: RateLimitPolicy): LimitStanding => ({
  ...standing,
  remaining: standing.remaining + left,
  resetSeconds: wholeSeconds(standing.windowEndsAt - Date.now(), policy),
});

/** 1 to the seconds of the window. */
export const wholeSeconds = (milliseconds: number, { seconds }: RateLimitPolicy): number =>
  Math.min(seconds, Math.max(1, Math.ceil(milliseconds / 1000)));
