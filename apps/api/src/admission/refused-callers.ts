import type { Caller, PlausibleCredential } from '@zonewright/core';

/** A caller who has been refused for lack of points. */
interface Refused {
  readonly caller: Caller;
  /** The routes that have refused them, so that each does so once in the audit log. */
  readonly routes: Set<string>;
}

/** Beyond this number, the callers refused longest ago are forgotten: their next request is looked up again. */
const maxCallers = 10_000;

/**
 * Who used up their general budgets, by the credential that this process has authenticated: their further requests are
 * refused before any statement. Nothing is said to other credentials, so strangers learn nothing. When a block ends is
 * known to `Leases` alone.
 */
export class RefusedCallers {
  readonly #refused = new Map<string, Refused>();

  /** The caller behind a credential, if refused earlier. */
  callerOf(credential: PlausibleCredential): Caller | undefined {
    return this.#refused.size === 0 ? undefined : this.#refused.get(keyOf(credential))?.caller;
  }

  /** Remembers a refusal; returns whether this route has refused the credential since it was admitted last. */
  remember(credential: PlausibleCredential, caller: Caller, route: string): boolean {
    const key = keyOf(credential);
    const { routes } = this.#refused.get(key) ?? { routes: new Set<string>() };
    const isRepeated = routes.has(route);
    const [oldest] = this.#refused.keys();
    if (oldest !== undefined && this.#refused.size >= maxCallers) this.#refused.delete(oldest);
    this.#refused.set(key, { caller, routes: routes.add(route) });
    return isRepeated;
  }

  /** Forgets the refusals of a credential whose budgets have points again. */
  forget(credential: PlausibleCredential): void {
    this.#refused.delete(keyOf(credential));
  }
}

/** An API token is known only at the address that it was used from: elsewhere it may be an unknown one. */
const keyOf = (credential: PlausibleCredential): string =>
  credential.kind === 'session' ? credential.sessionId : `${credential.hash} ${credential.address ?? ''}`;
