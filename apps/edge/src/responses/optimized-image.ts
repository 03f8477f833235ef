import { availableParallelism } from 'node:os';
import type { Settings } from '@zonewright/engine';
import { gate } from '@zonewright/gate';
import sharp, { type Sharp } from 'sharp';
import { maxErrorOf, quantizationError, sampleOf } from './quantization-error.ts';
import type { Transformation, Transformed } from './transformation.ts';

/** Of 10: the next steps take several times as long for a tenth fewer bytes. */
const pngEffort = 4;

/** The settings of image optimization. */
export type ImageSettings = Pick<Settings, Extract<keyof Settings, `imageOptimization${string}`>>;

const maxBytes = 20 * 1024 * 1024;
const maxPixels = 50_000_000;
const timeoutSeconds = 10;

/** Images are worked on by threads of their own; those that would wait longer than this pass as they are. */
const waiting = { queueLimit: 32, waitSeconds: 5 };
const places = gate({ ...waiting, concurrency: Math.max(1, availableParallelism() - 1) });
/** Making AVIF takes about 20 bytes of memory a pixel, however few bytes came: larger images are worked on one by one. */
const placeOfLargeOnes = gate({ ...waiting, concurrency: 1 });
const largePixels = 5_000_000;

const inputs: ReadonlySet<string> = new Set(['image/jpeg', 'image/png']);

interface Target {
  readonly contentType: string;
  readonly encode: (image: Sharp) => Sharp;
  /** Whether the original must stay, because no such copy of it is good enough. */
  readonly isTooPoor?: (original: Buffer) => Promise<boolean>;
}

/** The format that an image gets: AVIF before WebP before its own, as far as client and settings allow. */
function targetOf(contentType: string, accept: string, settings: ImageSettings): Target | undefined {
  if (settings.imageOptimizationAvifEnabled && accepts(accept, 'image/avif')) {
    const quality = settings.imageOptimizationAvifQuality;
    return { contentType: 'image/avif', encode: (image) => image.avif({ quality, effort: 2 }) };
  }
  if (settings.imageOptimizationWebpEnabled && accepts(accept, 'image/webp')) {
    const quality = settings.imageOptimizationWebpQuality;
    return { contentType: 'image/webp', encode: (image) => image.webp({ quality }) };
  }
  return contentType === 'image/jpeg' ? jpeg(settings) : png(settings);
}

function jpeg(settings: ImageSettings): Target | undefined {
  if (!settings.imageOptimizationJpegEnabled) return undefined;
  const { imageOptimizationJpegQualityMin: min, imageOptimizationJpegQualityMax: max } = settings;
  const quality = Math.min(max, Math.max(min, settings.imageOptimizationJpegQualityTarget));
  return { contentType: 'image/jpeg', encode: (image) => image.jpeg({ quality, mozjpeg: true }) };
}

function png(settings: ImageSettings): Target | undefined {
  if (!settings.imageOptimizationPngEnabled) return undefined;
  const { imageOptimizationPngQualityMin: min, imageOptimizationPngQualityMax: quality } = settings;
  return {
    contentType: 'image/png',
    encode: (image) => image.png({ palette: true, quality, effort: pngEffort }),
    isTooPoor: async (original) => min > 0 && (await errorWithPalette(original, quality)) > maxErrorOf(min),
  };
}

/**
 * The error of a palette, found for a sample of the pixels, because a second copy of the whole image would take as long
 * as the first one. Dithering spreads the error to where it is seen less, so what it adds does not count.
 */
async function errorWithPalette(original: Buffer, quality: number): Promise<number> {
  const sample = await sampleOf(opened(original)).png({ compressionLevel: 0 }).toBuffer();
  const palette = { palette: true, quality, effort: pngEffort, dither: 0, compressionLevel: 0 };
  return quantizationError(sample, await sharp(sample).png(palette).toBuffer());
}

/** Whether `Accept` names the type with a weight above 0. Clients that do not know a format send `image/*`, too. */
const accepts = (accept: string, type: string): boolean =>
  accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return name === type && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

/** Undefined if nothing may be done with such an image. */
export function imageOptimization(
  contentType: string,
  accept: string,
  settings: ImageSettings,
): Transformation | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!settings.imageOptimizationEnabled || !inputs.has(type)) return undefined;
  const target = targetOf(type, accept, settings);
  return {
    maxBytes: target === undefined ? 0 : maxBytes,
    apply: async (body) => (target === undefined ? undefined : optimized(body, target)),
    variesByAccept: settings.imageOptimizationAvifEnabled || settings.imageOptimizationWebpEnabled,
  };
}

async function optimized(body: Buffer, target: Target): Promise<Transformed | undefined> {
  // An animation would lose all frames but one.
  if (body.subarray(0, body.indexOf('IDAT')).includes('acTL')) return undefined;
  const work = () => places.run(() => encoded(body, target)).unwrapOr(undefined);
  return (await isLarge(body)) ? placeOfLargeOnes.run(work).unwrapOr(undefined) : work();
}

/** Also of what is no image. */
const isLarge = (body: Buffer): Promise<boolean> =>
  opened(body)
    .metadata()
    .then(
      ({ width, height }) => width * height > largePixels,
      () => true,
    );

async function encoded(body: Buffer, { contentType, encode, isTooPoor }: Target): Promise<Transformed | undefined> {
  try {
    if (await isTooPoor?.(body)) return undefined;
    const made = await encode(opened(body)).toBuffer();
    return made.length < body.length ? { body: made, contentType } : undefined;
  } catch {
    return undefined;
  }
}

const opened = (image: Buffer): Sharp =>
  sharp(image, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .keepIccProfile()
    .timeout({ seconds: timeoutSeconds });
