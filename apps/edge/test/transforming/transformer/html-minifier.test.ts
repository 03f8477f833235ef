import { expect } from 'chai';
import * as fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { minifiedHtml } from '../../../src/transforming/transformer/html-minifier.ts';
import { pieces } from './html-pieces.ts';

const document = (body: string) =>
  `<!doctype html>\n<html><head>\n  <title>a</title></head>\n<body>${body}</body></html>\n`;

/** What a document is, written out: all nodes, attributes and texts, with white space as text lays it out. */
function outline(node: DefaultTreeAdapterTypes.Node, isExact = false): readonly unknown[] {
  if ('value' in node) return [isExact ? node.value : node.value.replaceAll(/[ \t\n]+/g, ' ')];
  const { parentNode: _, childNodes = [], content, ...own } = node as Partial<DefaultTreeAdapterTypes.Template>;
  const exact = isExact || /^(?:pre|textarea|script|style|title|code|noscript|iframe|template)$/.test(node.nodeName);
  const children = [...childNodes, ...(content?.childNodes ?? [])];
  return [own, ...children.map((child) => outline(child, exact))];
}

const isSame = (one: string, other: string) =>
  JSON.stringify(outline(parse(one))) === JSON.stringify(outline(parse(other)));

describe('Minified HTML', () => {
  it('has one space or line break where there were several', () => {
    expect(
      minifiedHtml(document('\n\n  <div>\n    <p>some   words \t here\n\n    <b>x</b>  </p>\r\n  </div>')),
    ).to.equal(
      '<!doctype html>\n<html><head>\n<title>a</title></head>\n<body>\n<div>\n<p>some words here\n<b>x</b> </p>\n</div></body></html>\n',
    );
  });

  it('keeps everything else byte for byte', () => {
    for (const piece of pieces) {
      const minified = minifiedHtml(document(`<p>a   b</p>${piece}`));
      expect(minified, piece).to.equal(document(`<p>a b</p>${piece}`).replace('\n  <', '\n<'));
    }
  });

  it('keeps a byte order mark', () => {
    expect(minifiedHtml('\uFEFF<!doctype html><p>a  b')).to.equal('\uFEFF<!doctype html><p>a b');
  });

  it('does not exist of what is no document, or may show white space anywhere', () => {
    const kept = [
      '{ "a":   "<body>" }',
      'plain   text',
      '<p>a   fragment</p>',
      '<!-- a   comment -->  <div>  </div>',
      '<title>a</title>  <p>b   c',
      document('<style>.a { white-space: pre-wrap }</style>a   b'),
      document('<style>.a { white-space-collapse:preserve }</style>a   b'),
      document('<div style="white-space:break-spaces">a   b</div>'),
      document('<p class="whitespace-pre-line">a   b</p>'),
      document('<script>x.style.whiteSpace = "pre"</script>a   b'),
      '<!doctype html><p>a b',
    ];
    expect(kept.map(minifiedHtml)).to.deep.equal(kept.map(() => undefined));
  });

  it('exists of what has a doctype or one of the outer tags', () => {
    const pages = ['<!DOCTYPE html>  a  b', '<html lang="">a  b', '<head><body>a  b', ' <!--a--> <body>a  b'];
    expect(pages.map((page) => typeof minifiedHtml(page))).to.deep.equal(pages.map(() => 'string'));
  });

  it('is the same document, for all pages', () => {
    const space = fc.constantFrom('', ' ', '  ', '\n   ', '\r\n\t', '\t', '\f ', '&#32; ', '&nbsp;  ', ' \0 ');
    const tags = ['div', 'p', 'b', 'a', 'table', 'tr', 'td', 'select', 'option', 'pre', 'textarea', 'svg', 'x-y', 'li'];
    const tag = fc.constantFrom(...tags, 'code', 'title', 'template', 'noscript', 'button', 'form', 'body', 'math');
    const part = fc.oneof(
      { weight: 4, arbitrary: space },
      { weight: 3, arbitrary: fc.constantFrom('a', 'b   c', '&amp', '<', '<3', 'ü', '漢\n  字') },
      { weight: 3, arbitrary: fc.tuple(tag, space).map(([name, more]) => `<${name}${more && ' '}>`) },
      { weight: 3, arbitrary: tag.map((name) => `</${name}>`) },
      { weight: 2, arbitrary: fc.constantFrom(...pieces) },
    );
    const page = fc
      .tuple(fc.constantFrom('<!doctype html>', '<html>', '\n<body>', '<head> '), fc.array(part, { maxLength: 30 }))
      .map(([start, parts]) => start + parts.join(''));
    let count = 0;
    fc.assert(
      fc.property(page, (source) => {
        const minified = minifiedHtml(source);
        if (minified === undefined) return true;
        count += 1;
        return minified.length < source.length && isSame(source, minified);
      }),
      { numRuns: 1000 },
    );
    expect(count).to.be.greaterThan(250);
  });
});
