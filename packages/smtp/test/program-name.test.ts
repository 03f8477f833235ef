import { expect } from 'chai';
import { programName } from '../src/program-name.ts';

describe('programName', () => {
  const mozilla = (platform: string, rest: string) => `Mozilla/5.0 (${platform}) ${rest}`;
  const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const chrome = `${webKit} Chrome/149.0.0.0 Safari/537.36`;
  const cases: readonly (readonly [userAgent: string | undefined, name: string])[] = [
    [mozilla('Windows NT 10.0; Win64; x64; rv:150.0', 'Gecko/20100101 Firefox/150.0'), 'Firefox on Windows'],
    [mozilla('X11; Linux x86_64', chrome), 'Chrome on Linux'],
    [mozilla('Windows NT 10.0; Win64; x64', `${chrome} Edg/149.0.0.0`), 'Edge on Windows'],
    [mozilla('X11; CrOS x86_64 14541.0.0', chrome), 'Chrome on ChromeOS'],
    [mozilla('Macintosh; Intel Mac OS X 10_15_7', `${webKit} Version/26.0 Safari/605.1.15`), 'Safari on macOS'],
    [
      mozilla('iPhone; CPU iPhone OS 26_0 like Mac OS X', `${webKit} CriOS/149.0 Mobile/15E148 Safari/604.1`),
      'Chrome on iPhone',
    ],
    ['curl/8.14.1', 'curl'],
    ['Something on Linux', 'an unknown program on Linux'],
    ['', 'an unknown program'],
    [undefined, 'an unknown program'],
  ];
  for (const [userAgent, name] of cases) {
    it(`calls ${JSON.stringify(userAgent)} ${name}`, () => {
      expect(programName(userAgent)).to.equal(name);
    });
  }
});
