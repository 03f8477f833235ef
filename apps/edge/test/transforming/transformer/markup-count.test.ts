import { expect } from 'chai';
import { isTooIntricate } from '../../../src/transforming/transformer/markup-count.ts';

describe('Pages with too many parts', () => {
  const isTooMuch = (text: string) => isTooIntricate(Buffer.from(text));
  const attributes = (count: number, each: (index: number) => string) =>
    `<p>a = b</p><a ${Array.from({ length: count }, (_, index) => each(index)).join('')}>`;

  it('have more than 5,000 tags', () => {
    expect([isTooMuch('<b></b>'.repeat(5000)), isTooMuch('<b>'.repeat(5001))]).to.deep.equal([false, true]);
  });

  it('have more than 20,000 attributes, however these are written', () => {
    const spellings = [
      (index: number) => `a${index} `,
      (index: number) => `a${index}=b\n`,
      (index: number) => `a${index}="> <i>"`,
      (index: number) => `a${index}='b' `,
      (index: number) => `a${index}/`,
    ];
    expect(spellings.map((each) => isTooMuch(attributes(20_100, each)))).to.deep.equal(spellings.map(() => true));
    expect(isTooMuch(attributes(4000, (index) => `a${index}="b c d e f g" `))).to.equal(false);
    expect(isTooMuch(`<p>${'some words '.repeat(20_000)}</p>`)).to.equal(false);
  });
});
