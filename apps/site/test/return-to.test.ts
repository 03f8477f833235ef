import { expect } from 'chai';

/** A browser module without type declarations. */
const { destinationOf } = (await import(new URL('../pages/return-to.js', import.meta.url).href)) as {
  destinationOf: (path: string | null, here: string) => string | undefined;
};

const here = 'https://zones.example/sign-in';

describe('destinationOf', () => {
  for (const path of ['/profile', '/explain#zone=1&url=https://a.example/', '/a?b=//c', '/a/../b//c']) {
    it(`returns to ${path}`, () => {
      expect(destinationOf(path, here)).to.equal(new URL(path, here).href);
    });
  }

  for (const path of [
    null,
    '',
    'profile',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    'javascript:alert(1)',
    '//',
  ]) {
    it(`does not return to ${JSON.stringify(path)}`, () => {
      expect(destinationOf(path, here)).to.equal(undefined);
    });
  }
});
