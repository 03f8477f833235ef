import { z } from 'zod';
import { Email } from '../mail/email.ts';

/** The body of a request for a new address. */
export const AddressChange = z.object({ email: Email });
export type AddressChange = z.infer<typeof AddressChange>;

/** How long the link to the new address works. */
export const confirmAddressSeconds = 24 * 60 * 60;

/** How long the link to the old address brings it back; until then nobody else can have it. */
export const undoAddressSeconds = 7 * 24 * 60 * 60;

/** Changes that a user may request in an hour: each sends a mail to an address that may be a stranger's. */
export const addressChangesPerHour = 3;
