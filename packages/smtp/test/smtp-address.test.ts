import { expect } from 'chai';
import { smtpAddress } from '../src/smtp-address.ts';

describe('smtpAddress', () => {
  for (const [url, address] of [
    ['smtp://mail.example.test', { host: 'mail.example.test', secure: false }],
    ['smtp://mail.example.test:2525/', { host: 'mail.example.test', secure: false, port: 2525 }],
    ['smtps://[::1]:465', { host: '::1', secure: true, port: 465 }],
    ['smtps://me%40x:p%40ss%3A%2F@m.test', { host: 'm.test', secure: true, auth: { user: 'me@x', pass: 'p@ss:/' } }],
  ] as const) {
    it(`reads ${url}`, () => {
      expect(smtpAddress(url)).to.deep.equal(address);
    });
  }

  for (const url of [
    '',
    'mail.example.test',
    'http://m.test',
    'smtp://',
    'smtp://m.test/path',
    'smtp://m.test#x',
    'smtp://me:secret@m.test?requireTLS=false',
    'smtps://me:secret@m.test?tls.rejectUnauthorized=false',
    'direct://me:secret@m.test',
  ]) {
    it(`rejects "${url}" without repeating it`, () => {
      expect(() => smtpAddress(url))
        .to.throw()
        .with.property('message')
        .that.does.not.contain('secret');
    });
  }
});
