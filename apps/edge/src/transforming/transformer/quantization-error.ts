import sharp, { type Sharp } from 'sharp';

/** Colours are compared as libimagequant does, on a scale that is closer to what eyes see than that of sRGB. */
const exponent = 0.5499 / 0.454_55;
const brightness = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** exponent);

/** Pixels per side of a sample: its mean error hardly differs from that of the whole image. */
const sampleSide = 500;

/** Single pixels of an image, unchanged, in rows and columns at equal distances. */
export const sampleOf = (image: Sharp): Sharp =>
  image.resize(sampleSide, sampleSide, { fit: 'inside', kernel: 'nearest', withoutEnlargement: true });

/**
 * The largest mean square error of an image with a quality from 0 to 100, as libimagequant defines it: the scale of
 * pngquant's `--quality`.
 */
export function maxErrorOf(quality: number): number {
  if (quality <= 0) return Number.POSITIVE_INFINITY;
  const fewColours = Math.max(0, 0.016 / (0.001 + quality) - 0.001);
  return fewColours + (2.5 / (210 + quality) ** 1.2) * ((100.1 - Math.min(quality, 100)) / 100);
}

/** The mean square error of a copy with fewer colours, by libimagequant's measure: sharp does not tell it. */
export async function quantizationError(original: Buffer, copy: Buffer): Promise<number> {
  const [before, after] = await Promise.all([pixelsOf(original), pixelsOf(copy)]);
  let sum = 0;
  for (let at = 0; at < before.length; at += 4) sum += pixelError(before, after, at);
  return sum / (before.length / 4);
}

/** As red, green, blue and alpha. */
const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).toColourspace('srgb').ensureAlpha().raw().toBuffer();

/** Of each colour, the larger difference that is seen on black or on white. */
function pixelError(before: Buffer, after: Buffer, at: number): number {
  const [opacity, otherOpacity] = [(before[at + 3] ?? 0) / 255, (after[at + 3] ?? 0) / 255];
  let sum = 0;
  for (let colour = at; colour < at + 3; colour += 1) {
    const onBlack = shade(before, colour) * opacity - shade(after, colour) * otherOpacity;
    const onWhite = onBlack + otherOpacity - opacity;
    sum += Math.max(onBlack * onBlack, onWhite * onWhite);
  }
  return sum;
}

const shade = (pixels: Buffer, at: number): number => brightness[pixels[at] ?? 0] ?? 0;
