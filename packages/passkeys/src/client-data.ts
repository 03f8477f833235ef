import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';

/** What a browser says about a ceremony ("CollectedClientData"); undefined if it cannot be read. */
export function clientDataIn(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // The text may contain anything: JSON that is no object has no members.
    return { ...(decodeClientDataJSON(json) as object) };
  } catch {
    return undefined;
  }
}
