import type { QrCodes } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';

/** QR codes as PNG images. Level M of error correction stays readable with 15 % of the picture lost (ISO/IEC 18004). */
export const qrCodes = (): QrCodes => ({
  dataUri: (text) => ResultAsync.fromSafePromise(drawn(text)),
});

/** The library is loaded with the first code: most instances never draw one. */
async function drawn(text: string): Promise<string> {
  const { default: qrCode } = await import('qrcode');
  return qrCode.toDataURL(text, { type: 'image/png', errorCorrectionLevel: 'M' });
}
