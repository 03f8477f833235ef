import type { QrCodes } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';

/** QR codes as PNG images. Error correction level M tolerates 15 % damage (ISO/IEC 18004). */
export const qrCodes = (): QrCodes => ({
  dataUri: (text) => ResultAsync.fromSafePromise(drawn(text)),
});

/** Loads the library with the first code: most instances never draw one. */
async function drawn(text: string): Promise<string> {
  const { default: qrCode } = await import('qrcode');
  return qrCode.toDataURL(text, { type: 'image/png', errorCorrectionLevel: 'M' });
}
