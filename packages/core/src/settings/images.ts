import { z } from 'zod';
import { integerBetween } from '../shared/constraints.ts';
import { settings } from './setting.ts';

const Quality = integerBetween(1, 100);
const PaletteQuality = integerBetween(0, 100);

/** Settings for recompressing JPEG and PNG images. */
export const imageSettings = settings({
  imageOptimizationEnabled: [z.boolean(), 'Turns image optimization on or off as a whole.'],
  imageOptimizationWebpEnabled: [z.boolean(), 'Sends WebP to clients that accept it and do not get AVIF.'],
  imageOptimizationAvifEnabled: [z.boolean(), 'Sends AVIF to clients that accept it.'],
  imageOptimizationJpegEnabled: [z.boolean(), 'Recompresses JPEG images as JPEG.'],
  imageOptimizationPngEnabled: [z.boolean(), 'Recompresses PNG images as PNG.'],
  imageOptimizationAvifQuality: [Quality, 'Quality of AVIF images, 1 to 100.'],
  imageOptimizationWebpQuality: [Quality, 'Quality of WebP images, 1 to 100.'],
  imageOptimizationJpegQualityTarget: [
    Quality,
    'Target quality of JPEG images, 1 to 100, between the lowest and the highest.',
  ],
  imageOptimizationJpegQualityMin: [Quality, 'Lowest quality of JPEG images, 1 to 100.'],
  imageOptimizationJpegQualityMax: [Quality, 'Highest quality of JPEG images, 1 to 100.'],
  imageOptimizationPngQualityMin: [PaletteQuality, 'Lowest quality of PNG images, 0 to 100.'],
  imageOptimizationPngQualityMax: [PaletteQuality, 'Highest quality of PNG images, 0 to 100.'],
});
