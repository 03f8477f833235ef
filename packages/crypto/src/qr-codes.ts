import type { QrCodes } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { toDataURL } from 'qrcode';

/** QR codes as PNG images. Level M of error correction stays readable with 15 % of the picture lost (ISO/IEC 18004). */
export const qrCodes = (): QrCodes => ({
  dataUri: (text) => ResultAsync.fromSafePromise(toDataURL(text, { type: 'image/png', errorCorrectionLevel: 'M' })),
});
