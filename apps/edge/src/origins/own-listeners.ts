import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Where a process listens. */
interface Listener {
  /** An address; of all other texts, all addresses of the machine are meant. */
  readonly address: string;
  readonly port: number;
}

const anyAddress: ReadonlySet<string> = new Set(['::', '0.0.0.0']);

/** The listeners of this process, which are no origins: a request to them would go in circles, or to the private port. */
export class OwnListeners {
  readonly #listeners: Listener[] = [];

  add(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Whether a connection to this place would be one to this process. */
  has(address: string, port: number): boolean {
    return this.#listeners.some((each) => each.port === port && isOf(each, address));
  }
}

function isOf({ address: listening }: Listener, address: string): boolean {
  if (address === listening || anyAddress.has(address)) return true;
  const isOne = isIP(listening) > 0 && !anyAddress.has(listening);
  return !isOne && (/^127\.|^::1$/.test(address) || localAddresses().has(address));
}

/** They may change while the program runs. */
const localAddresses = (): ReadonlySet<string> =>
  new Set(
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .map(({ address }) => address),
  );
