import { expect } from 'chai';
import { assumedType } from '../../src/transforming/assumed-type.ts';

describe('The assumed type of an answer that does not tell it', () => {
  it('is that of the ending of the path', () => {
    const targets = ['/a.JPG', '/a.png?b.html', '/a.b/c.html', '/a.php', '/a.css', '/a.webp', '/a.constructor'];
    expect(targets.map((target) => assumedType(target, 'image/webp'))).to.deep.equal([
      'image/jpeg',
      'image/png',
      'text/html',
      'text/html',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is that of what the client accepts where the path has no ending', () => {
    const accepted = ['text/html,image/webp,*/*;q=0.8', 'image/avif,image/webp,*/*;q=0.8', '*/*', ''];
    expect(accepted.map((accept) => assumedType('/a', accept))).to.deep.equal([
      'text/html',
      'image/jpeg',
      'text/html',
      'text/html',
    ]);
  });
});
