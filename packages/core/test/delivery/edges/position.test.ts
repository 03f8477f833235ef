import { expect } from 'chai';
import { parsePosition, positionText } from '../../../src/delivery/edges/position.ts';

const position = { number: 12, publication: 3, nonce: '0190a000-0000-4000-8000-000000000000', isWhole: false };

describe('parsePosition', () => {
  it('reads what positionText writes', () => {
    for (const each of [position, { ...position, isWhole: true }])
      expect(parsePosition(positionText(each))).to.deep.equal(each);
  });

  for (const text of [
    '',
    '1',
    '1.2',
    '1.2.x',
    '-1.2.0190a000-0000-4000-8000-000000000000',
    `${positionText(position)}.`,
    `${positionText(position)}.whole.x`,
  ]) {
    it(`reads nothing from ${JSON.stringify(text)}`, () => {
      expect(parsePosition(text)).to.equal(undefined);
    });
  }
});
