import { expect } from 'chai';
import { listenError } from '../src/listen.ts';

describe('listenError', () => {
  for (const [code, problem] of [
    ['EADDRINUSE', 'is in use; choose another one, such as PORT=81'],
    ['EACCES', 'is for root only; choose one above 1023, such as PORT=8080, behind a reverse proxy'],
    ['EPERM', 'cannot be used (EPERM)'],
  ] as const)
    it(`says what to do about ${code}`, () => {
      const failure = Object.assign(new Error(code), { code });
      const { lines } = listenError(failure, { host: '127.0.0.1', port: 80, variable: 'PORT' });
      expect(lines).to.deep.equal([`PORT: 80 on 127.0.0.1 ${problem}`]);
    });
});
