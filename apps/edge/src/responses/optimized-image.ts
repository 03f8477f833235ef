import { availableParallelism } from 'node:os';
import type { Settings } from '@zonewright/engine';
import { gate } from '@zonewright/gate';
import sharp, { type Sharp } from 'sharp';
import type { Transformation, Transformed } from './transformation.ts';

/** The settings of image optimization. */
export type ImageSettings = Pick<Settings, Extract<keyof Settings, `imageOptimization${string}`>>;

const maxBytes = 20 * 1024 * 1024;
const maxPixels = 50_000_000;
const timeoutSeconds = 10;

/** Images are worked on by threads of their own; those that would wait longer than this pass as they are. */
const places = gate({ concurrency: Math.max(1, availableParallelism() - 1), queueLimit: 32, waitSeconds: 5 });

const inputs: ReadonlySet<string> = new Set(['image/jpeg', 'image/png']);

interface Target {
  readonly contentType: string;
  readonly encode: (image: Sharp) => Sharp;
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
  const quality = settings.imageOptimizationPngQualityMax;
  return { contentType: 'image/png', encode: (image) => image.png({ palette: true, quality }) };
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
  if (body.subarray(0, 4096).includes('acTL')) return undefined;
  const result = await places.run(() => encoded(body, target));
  return result.unwrapOr(undefined);
}

async function encoded(body: Buffer, { contentType, encode }: Target): Promise<Transformed | undefined> {
  try {
    const image = sharp(body, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .keepIccProfile()
      .timeout({ seconds: timeoutSeconds });
    const made = await encode(image).toBuffer();
    return made.length < body.length ? { body: made, contentType } : undefined;
  } catch {
    return undefined;
  }
}
