import type { Settings } from '@zonewright/engine';
import type { ImageTarget } from '../transformation.ts';
import type { ImageHead } from './image-head.ts';

/** The settings of image optimization. */
export type ImageSettings = Pick<Settings, Extract<keyof Settings, `imageOptimization${string}`>>;

/** A visitor waits for the copy, so none is made that takes longer. */
const maxMilliseconds = 50;

/**
 * Milliseconds of processor time a megapixel, decoding included, as measured with photographs at 2.5 GHz on one thread.
 * A PNG is reduced to a palette a second time, to see how much worse it looks.
 */
const cost: Readonly<Record<ImageTarget['format'], (target: ImageTarget) => number>> = {
  avif: ({ quality }) => (quality > 90 ? 400 : 300),
  webp: ({ quality }) => (quality > 90 ? 150 : 80),
  jpeg: ({ quality }) => (quality > 90 ? 450 : 190),
  png: ({ minQuality }) => (minQuality > 0 ? 1400 : 700),
};

/** The forms that client and settings allow, the best first: AVIF, WebP, then its own. */
export function allowedTargets(label: string, accept: string, settings: ImageSettings): readonly ImageTarget[] {
  const targets: ImageTarget[] = [];
  if (settings.imageOptimizationAvifEnabled && accepts(accept, 'image/avif')) {
    targets.push({ format: 'avif', quality: settings.imageOptimizationAvifQuality, minQuality: 0 });
  }
  if (settings.imageOptimizationWebpEnabled && accepts(accept, 'image/webp')) {
    targets.push({ format: 'webp', quality: settings.imageOptimizationWebpQuality, minQuality: 0 });
  }
  if (label === 'image/jpeg' && settings.imageOptimizationJpegEnabled) {
    const { imageOptimizationJpegQualityMin: min, imageOptimizationJpegQualityMax: max } = settings;
    const quality = Math.min(max, Math.max(min, settings.imageOptimizationJpegQualityTarget));
    targets.push({ format: 'jpeg', quality, minQuality: 0 });
  }
  if (label === 'image/png' && settings.imageOptimizationPngEnabled) {
    const { imageOptimizationPngQualityMin: minQuality, imageOptimizationPngQualityMax: quality } = settings;
    targets.push({ format: 'png', quality, minQuality });
  }
  return targets;
}

/** Whether `Accept` names the type with a weight above 0. Clients that do not know a format send `image/*`, too. */
const accepts = (accept: string, type: string): boolean =>
  accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return name === type && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

/** The best of these forms that an image can get in little time; undefined: it stays as it is. */
export function targetFor(targets: readonly ImageTarget[], image: ImageHead): ImageTarget | undefined {
  const megapixels = (image.width * image.height) / 1e6;
  if (image.isAnimated || megapixels === 0) return undefined;
  return targets.find(
    (target) =>
      (isOther(target) || target.format === image.format) &&
      megapixels * cost[target.format](target) <= maxMilliseconds,
  );
}

const isOther = ({ format }: ImageTarget): boolean => format === 'avif' || format === 'webp';
