/** What the first bytes of an image say. */
export interface ImageHead {
  readonly format: 'jpeg' | 'png';
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** `incomplete`: more bytes are needed to tell; `other`: no JPEG or PNG, or a strange one. */
export type SeenImage = ImageHead | 'incomplete' | 'other';

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const jpegSignature = Buffer.from('ffd8ff', 'hex');

/** Parts before the pixels; real images have a few dozen. */
const maxParts = 1000;

/** Reads what an image is from its bytes, whatever its label says. */
export function imageHead(bytes: Buffer): SeenImage {
  if (begins(bytes, pngSignature)) return pngHead(bytes);
  if (begins(bytes, jpegSignature)) return jpegHead(bytes);
  return 'other';
}

/** Whether the bytes begin with the signature, as far as they go. */
const begins = (bytes: Buffer, signature: Buffer): boolean =>
  bytes.subarray(0, signature.length).equals(signature.subarray(0, bytes.length));

/** Animations announce themselves before the first pixels, in a chunk `acTL`. */
function pngHead(bytes: Buffer): SeenImage {
  if (bytes.length < 24) return 'incomplete';
  if (chunkType(bytes, pngSignature.length) !== 'IHDR') return 'other';
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let at = pngSignature.length;
  for (let parts = 0; parts < maxParts; parts += 1) {
    if (at + 8 > bytes.length) return 'incomplete';
    const type = chunkType(bytes, at);
    if (type === 'acTL' || type === 'IDAT') return { format: 'png', ...size, isAnimated: type === 'acTL' };
    // Length, type and checksum take four bytes each (PNG section 5.3).
    at += bytes.readUInt32BE(at) + 12;
  }
  return 'other';
}

const chunkType = (bytes: Buffer, at: number): string => bytes.toString('latin1', at + 4, at + 8);

/** Walks from marker to marker up to the frame, which tells the size. */
function jpegHead(bytes: Buffer): SeenImage {
  let at = 2;
  for (let parts = 0; parts < maxParts; parts += 1) {
    if (at + 9 > bytes.length) return 'incomplete';
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== fill || marker === startOfScan) return 'other';
    if (isFrame(marker)) {
      return {
        format: 'jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        isAnimated: false,
      };
    }
    at += lengthOf(bytes, at, marker);
  }
  return 'other';
}

/** C0 to CF, without tables and what is reserved (T.81 table B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Restarts, starts and ends of images, and TEM have no length. */
const isBare = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd9) || marker === 0x01;
const startOfScan = 0xda;
const fill = 0xff;

function lengthOf(bytes: Buffer, at: number, marker: number): number {
  if (marker === fill) return 1;
  return isBare(marker) ? 2 : 2 + bytes.readUInt16BE(at + 2);
}
