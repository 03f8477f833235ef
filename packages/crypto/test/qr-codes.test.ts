import { expect } from 'chai';
import { create } from 'qrcode';
import { qrCodes } from '../src/qr-codes.ts';

const uri =
  'otpauth://totp/Zonewright:ada%40example.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Zonewright&algorithm=SHA1&digits=6&period=30';
const prefix = 'data:image/png;base64,';
/** Pixels per module, and modules of quiet zone. */
const [scale, margin] = [4, 4];

const dataUriOf = async (text: string): Promise<string> => (await qrCodes().dataUri(text)).unwrapOr('');
const pictureOf = async (text: string): Promise<Buffer> =>
  Buffer.from((await dataUriOf(text)).slice(prefix.length), 'base64');

describe('qrCodes.dataUri', () => {
  it('is a data URI of a PNG image', async () => {
    const response = await fetch(await dataUriOf(uri));
    expect(response.headers.get('content-type')).to.equal('image/png');
    const picture = Buffer.from(await response.arrayBuffer());
    // PNG specification, section 5.2: the signature; section 11.2.1: the header comes first.
    expect(picture.subarray(0, 8).toString('latin1')).to.equal('\x89PNG\r\n\x1a\n');
    expect(picture.subarray(12, 16).toString('latin1')).to.equal('IHDR');
    expect(picture.subarray(-8, -4).toString('latin1')).to.equal('IEND');
  });

  it('uses base64 that every decoder accepts', async () => {
    const dataUri = await dataUriOf(uri);
    expect(dataUri.startsWith(prefix)).to.equal(true);
    const encoded = dataUri.slice(prefix.length);
    expect(Buffer.from(encoded, 'base64').toString('base64')).to.equal(encoded);
  });

  it('is a square with error correction level M and a quiet zone', async () => {
    const picture = await pictureOf(uri);
    const { size } = create(uri, { errorCorrectionLevel: 'M' }).modules;
    expect(size).to.be.lessThan(create(uri, { errorCorrectionLevel: 'Q' }).modules.size);
    expect(size).to.be.greaterThan(create(uri, { errorCorrectionLevel: 'L' }).modules.size);
    const width = (size + 2 * margin) * scale;
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).to.deep.equal([width, width]);
  });

  it('is equal for equal texts only', async () => {
    expect(await dataUriOf(uri)).to.equal(await dataUriOf(uri));
    expect(await dataUriOf(uri)).not.to.equal(await dataUriOf(uri.replace('GEZD', 'GEZE')));
  });

  it('accepts the longest possible provisioning URI', async () => {
    const longest = uri.replace('ada', '%25'.repeat(180));
    expect((await pictureOf(longest)).length).to.be.greaterThan(0);
  });

  for (const [name, text] of [
    ['nothing', ''],
    ['more than a picture holds', 'secret'.repeat(1000)],
  ] as const) {
    it(`rejects ${name}, without repeating it`, async () => {
      const cause = await qrCodes()
        .dataUri(text)
        .then(
          () => expect.fail('a picture was made'),
          (reason: unknown) => reason,
        );
      expect(cause).to.be.instanceOf(Error).with.property('message').that.does.not.contain('secret');
    });
  }
});
