import sharp, { type Sharp } from 'sharp';
import type { ImageJob, ImageTarget } from '../transformation.ts';
import { maxErrorOf, quantizationError, sampleOf } from './quantization-error.ts';

// Each format that can be read is code that strangers feed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });
// One core a process; no image comes twice.
sharp.concurrency(1);
sharp.cache(false);

/** The least effort: more takes several times as long for a tenth fewer bytes. */
const encode: Readonly<Record<ImageTarget['format'], (image: Sharp, quality: number) => Sharp>> = {
  avif: (image, quality) => image.avif({ quality, effort: 0 }),
  webp: (image, quality) => image.webp({ quality, effort: 0 }),
  jpeg: (image, quality) => image.jpeg({ quality, mozjpeg: true }),
  png: (image, quality) => image.png({ palette: true, quality, effort: 1 }),
};

/** The image in its new format; undefined if that is not smaller, or would look too poor. Rejects if it cannot be read. */
export async function encodedImage({ body, target, pixels }: ImageJob): Promise<Buffer | undefined> {
  const opened = () => sharp(body, { limitInputPixels: pixels, failOn: 'error' }).autoOrient().keepIccProfile();
  if (target.minQuality > 0 && (await errorWithPalette(opened(), target)) > maxErrorOf(target.minQuality))
    return undefined;
  const made = await encode[target.format](opened(), target.quality).toBuffer();
  return made.length < body.length ? made : undefined;
}

/**
 * The error of a palette, found for a sample of the pixels, because a second copy of the whole image would take as long
 * as the first one. Dithering spreads the error to where it is seen less, so what it adds does not count.
 */
async function errorWithPalette(image: Sharp, { quality }: ImageTarget): Promise<number> {
  const sample = await sampleOf(image).png({ compressionLevel: 0 }).toBuffer();
  const palette = { palette: true, quality, effort: 1, dither: 0, compressionLevel: 0 };
  return quantizationError(sample, await sharp(sample).png(palette).toBuffer());
}
