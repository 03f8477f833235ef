import { expect } from 'chai';
import { parse } from 'parse5';
import { isSameDocument } from '../../../src/transforming/transformer/same-document.ts';

describe('A document', () => {
  const isSame = (one: string, other: string) => isSameDocument(parse(one), parse(other));
  const page =
    '<!doctype html><title>a</title><p lang="">b <b>c</b></p><!--d--><svg></svg><pre> e</pre><template>f</template>';

  it('is the same with other white space, except where that is shown', () => {
    expect(isSame(page, page.replace('b ', 'b \t '))).to.equal(true);
    expect(isSame(page, page.replace(' e', '  e'))).to.equal(false);
    expect(isSame('<p>a  <b>b', '<p>a<b>b')).to.equal(false);
  });

  it('is another one with any other difference', () => {
    const changes: readonly (readonly [string, string])[] = [
      ['<!doctype html>', ''],
      ['<!doctype html>', '<!doctype html system "about:legacy-compat">'],
      ['<!doctype html>', '<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN">'],
      ['lang=""', ''],
      ['lang=""', 'lang="a"'],
      ['lang=""', 'dir=""'],
      ['b <b>', 'b<b>'],
      ['<b>c</b>', '<i>c</i>'],
      ['<b>c</b>', '<b>c</b><br>'],
      ['<!--d-->', ''],
      ['<!--d-->', '<!--e-->'],
      ['<svg></svg>', '<svg/><svg/>'],
      ['<template>f', '<template>g'],
    ];
    for (const [old, changed] of changes) expect(isSame(page, page.replace(old, changed)), changed).to.equal(false);
    expect([isSame('<svg><a/>', '<svg/><a></a>'), isSame(page, page)]).to.deep.equal([false, true]);
  });
});
