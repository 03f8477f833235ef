import { z } from 'zod';
import { integerBetween } from '../shared/constraints.ts';
import { setting } from './setting.ts';

const Quality = integerBetween(1, 100);
const PaletteQuality = integerBetween(0, 100);

/** Settings for recompressing JPEG and PNG images. */
export const imageSettings = {
  imageOptimizationEnabled: setting(z.boolean(), true, 'Turns image optimization on or off as a whole.'),
  imageOptimizationWebpEnabled: setting(z.boolean(), true, 'Sends WebP to clients that accept it and do not get AVIF.'),
  imageOptimizationAvifEnabled: setting(z.boolean(), true, 'Sends AVIF to clients that accept it.'),
  imageOptimizationJpegEnabled: setting(z.boolean(), false, 'Recompresses JPEG images as JPEG.'),
  imageOptimizationPngEnabled: setting(z.boolean(), false, 'Recompresses PNG images as PNG.'),
  imageOptimizationAvifQuality: setting(Quality, 50, 'Quality of AVIF images, 1 to 100.'),
  imageOptimizationWebpQuality: setting(Quality, 50, 'Quality of WebP images, 1 to 100.'),
  imageOptimizationJpegQualityTarget: setting(
    Quality,
    85,
    'Target quality of JPEG images, 1 to 100, between the lowest and the highest.',
  ),
  imageOptimizationJpegQualityMin: setting(Quality, 40, 'Lowest quality of JPEG images, 1 to 100.'),
  imageOptimizationJpegQualityMax: setting(Quality, 98, 'Highest quality of JPEG images, 1 to 100.'),
  imageOptimizationPngQualityMin: setting(PaletteQuality, 65, 'Lowest quality of PNG images, 0 to 100.'),
  imageOptimizationPngQualityMax: setting(PaletteQuality, 80, 'Highest quality of PNG images, 0 to 100.'),
};
