import { expect } from 'chai';
import { colouredCode } from '../src/coloured-code.ts';

describe('colouredCode', () => {
  for (const [code, coloured] of [
    [
      'token=$(curl -s "$base/a" | sed -E \'s/"a":/b/\')',
      'variable token, command curl, option -s, string "$base/a", command sed, option -E, string \'s/"a":/b/\'',
    ],
    [`-d '{\n  "ttl": 60, "on": true }' -w 'x'`, `key "ttl", number 60, key "on", word true, option -w, string 'x'`],
    ['while [ -n "$page" ]; do', 'word while, option -n, string "$page", word do'],
    ['echo $links &amp; &lt;b&gt;', 'command echo, variable $links'],
  ] as const) {
    it(`recognizes the parts of ${code}`, () => {
      const html = colouredCode(code);
      const found = [...html.matchAll(/<span class="(\w+)">([^]*?)<\/span>/g)].map(
        ([, name, text]) => `${name} ${text}`,
      );
      expect(found.join(', ')).to.equal(coloured);
      expect(html.replace(/<[^>]*>/g, '')).to.equal(code);
    });
  }
});
