import type { ImageJob, ImageTarget, Transformation } from '../transformation.ts';
import { imageHead } from './image-head.ts';
import { allowedTargets, type ImageSettings, targetFor } from './image-target.ts';

/** More than an image takes that is small enough to get another form in little time. */
const maxBytes = 4 * 1024 * 1024;

/** What is read; which of the two it is, the bytes say. */
const labels: ReadonlySet<string> = new Set(['image/jpeg', 'image/png']);

/** A form that takes fewer bytes. Undefined if nothing may be done with images of this type. */
export function imageTransformation(
  contentType: string,
  accept: string,
  settings: ImageSettings,
): Transformation | undefined {
  const label = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!settings.imageOptimizationEnabled || !labels.has(label)) return undefined;
  const targets = allowedTargets(label, accept, settings);
  return {
    maxBytes: targets.length === 0 ? 0 : maxBytes,
    mayApply: (start) => imageHead(start) === 'incomplete' || jobFor(start, targets) !== undefined,
    jobFor: (body) => jobFor(body, targets),
    variesByAccept: settings.imageOptimizationAvifEnabled || settings.imageOptimizationWebpEnabled,
  };
}

function jobFor(body: Buffer, targets: readonly ImageTarget[]): ImageJob | undefined {
  const image = imageHead(body);
  if (typeof image === 'string') return undefined;
  const target = targetFor(targets, image);
  return target && { type: 'image', body, target, pixels: image.width * image.height };
}
