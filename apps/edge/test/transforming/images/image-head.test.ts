import { expect } from 'chai';
import sharp from 'sharp';
import { imageHead } from '../../../src/transforming/images/image-head.ts';

/** A part of a PNG (section 5.3 of its specification), with a checksum that nobody reads. */
const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
};

describe('The head of an image', () => {
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: '#08f' } });
  let png: Buffer;
  let jpeg: Buffer;
  before(async () => {
    png = await image.clone().png().toBuffer();
    jpeg = await image
      .clone()
      .withExif({ IFD0: { Copyright: 'x'.repeat(5000) } })
      .jpeg()
      .toBuffer();
  });

  it('tells format and size, from the bytes that say it on', async () => {
    const size = { width: 30, height: 20, isAnimated: false };
    const progressive = await image.clone().jpeg({ progressive: true }).toBuffer();
    for (const [body, format] of [[png, 'png'] as const, [jpeg, 'jpeg'] as const, [progressive, 'jpeg'] as const]) {
      const heads = Array.from(body, (_, length) => imageHead(body.subarray(0, length)));
      const first = heads.findIndex((head) => head !== 'incomplete');
      expect(heads.slice(first)).to.deep.include({ format, ...size });
      expect(new Set(heads.slice(first).map((head) => JSON.stringify(head))).size).to.equal(1);
      expect(imageHead(body)).to.deep.equal({ format, ...size });
    }
  });

  it('tells that a PNG is animated, wherever it says so before its pixels', () => {
    const control = chunk('acTL', Buffer.alloc(8));
    const text = chunk('tEXt', Buffer.from('a\0IDAT acTL'));
    const isAnimated = (...parts: readonly Buffer[]) => {
      const head = imageHead(Buffer.concat([png.subarray(0, 33), ...parts, png.subarray(33)]));
      return typeof head === 'string' ? head : head.isAnimated;
    };
    expect([isAnimated(control), isAnimated(text, control), isAnimated(text)]).to.deep.equal([true, true, false]);
  });

  it('is of no other format, and of none that is strange', async () => {
    const others = [
      await image.clone().tiff().toBuffer(),
      await image.clone().heif({ compression: 'av1' }).toBuffer(),
      await image.clone().gif().toBuffer(),
      await image.clone().webp().toBuffer(),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('%PDF-1.7'),
      Buffer.concat([png.subarray(0, 8), chunk('IEND', Buffer.alloc(8))]),
      Buffer.concat([png.subarray(0, 33), ...Array.from({ length: 2000 }, () => chunk('tEXt', Buffer.alloc(0)))]),
      Buffer.concat([Buffer.from('ffd8ffda', 'hex'), Buffer.alloc(20)]),
      Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(5000, 0xff)]),
    ];
    expect(others.map(imageHead)).to.deep.equal(others.map(() => 'other'));
  });
});
