import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { CreationResponse } from '@zonewright/core';

/**
 * Whether a new passkey is vouched for by nobody or by itself. Browsers leave nothing else when no attestation is asked
 * for (Web Authentication Level 3, section 5.1.3): certificates would only be more to check.
 */
export function isSelfAttested({ response }: CreationResponse): boolean {
  const object = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')));
  return (
    object.get('fmt') === 'none' || (object.get('fmt') === 'packed' && object.get('attStmt').get('x5c') === undefined)
  );
}
