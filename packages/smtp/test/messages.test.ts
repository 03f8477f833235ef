import { Email, type InvitationSubject, MailedToken, OrganizationName } from '@zonewright/core';
import { expect } from 'chai';
import { messageFor } from '../src/messages.ts';
import { aMail, aNotice, anInvitation, at, from, linkMails, links, mails, noticeMails, to, token } from './mails.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;');
const visibleText = (html: string) =>
  html
    .replaceAll(/<head>.*<\/head>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('messageFor', () => {
  for (const { name, mail } of mails) {
    describe(name, () => {
      const message = messageFor(mail, links, from, at);

      it('names the sender, in the subject and in the text', () => {
        expect(message.subject).to.contain('Example Hosting');
        expect(message.text).to.match(/\nExample Hosting \(no-reply@example\.test\)$/);
        expect(message.text + message.html + message.subject).not.to.match(/Zonewright|\{service\}/);
      });

      it('has the same content in both parts', () => {
        expect(visibleText(message.html)).to.equal(message.text.replaceAll(/\s+/g, ' '));
      });

      it('explains what to do if the reader did not cause it', () => {
        expect(message.text).to.match(/\nIf (?:this was not you|you did not expect an (?:invitation|account)), /);
      });

      it('declares its language and title, and loads nothing', () => {
        expect(message.html).to.match(/^<!doctype html>\n<html lang="en">/);
        expect(message.html).to.contain(`<title>${message.subject}</title>`);
        expect(message.html).not.to.match(/<(?:img|link|script|style|iframe)|src=|url\(/i);
      });

      it('has a constant subject without an address', () => {
        const other = { ...mail, to: Email.parse('grace@example.test'), token: MailedToken.parse('other') };
        expect(messageFor(other, links, from, at).subject).to.equal(message.subject);
        expect(message.text + message.html + message.subject).not.to.contain(to);
      });
    });
  }

  for (const { name, mail, link } of linkMails) {
    it(`shows the link of ${name} on its own line, and as a link with the URL as its text`, () => {
      const message = messageFor(mail, links, from, at);
      expect(message.text.split('\n')).to.include(link);
      expect(message.html).to.match(/<a href="([^"]+)"[^>]*>\1<\/a>/);
      expect(message.html).to.contain(`<a href="${escaped(link)}"`);
      expect(message.html.match(/https?:/g)).to.have.length(2);
      expect(message.link).to.equal(link);
    });
  }

  for (const { name, mail } of noticeMails) {
    it(`has no link in a ${name}, and is the same for everybody`, () => {
      const message = messageFor(mail, links, from, at);
      expect(message).to.have.all.keys('subject', 'text', 'html');
      expect(message.text + message.html).not.to.match(/https?:|href|token=/i);
      expect(messageFor({ ...mail, to: Email.parse('grace@example.test') }, links, from, at)).to.deep.equal(message);
    });
  }

  it('has a distinct subject for every mail', () => {
    const subjects = mails.map(({ mail }) => messageFor(mail, links, from, at).subject);
    expect(new Set(subjects).size).to.equal(mails.length);
  });

  it('states how long each link is valid', () => {
    expect(messageFor({ kind: 'verify-email', to, token }, links, from, at).text).to.contain(
      'once and is valid for 24 hours.',
    );
    expect(messageFor({ kind: 'reset-password', to, token }, links, from, at).text).to.contain(
      'once and is valid for 60 minutes.',
    );
    expect(messageFor({ kind: 'invitation', to, token }, links, from, at).text).to.contain(
      'once and is valid for 7 days.',
    );
  });

  it('gives people a day to open an account that was created for them', () => {
    const { text } = messageFor({ kind: 'account-created', to, token }, links, from, at);
    expect(text).to.contain('once and is valid for 24 hours.');
  });

  describe('of an invitation', () => {
    const textOf = (about?: InvitationSubject) =>
      messageFor({ kind: 'invitation', to, token, ...(about && { about }) }, links, from, at).text;

    it('names the inviter, the organization and the role', () => {
      expect(textOf(anInvitation())).to.contain(
        'Ada Lovelace invited you to join the organization “Analytical Engines” at Example Hosting, with the role editor.',
      );
    });

    it('names none of them if it was queued by an earlier version', () => {
      expect(textOf()).to.contain('Someone invited you to join an organization at Example Hosting.');
    });

    it('makes no address or link of theirs clickable, in either part', () => {
      const lure = 'Win at https://evil.example/x or mail win@evil.example now, www.evil.example';
      const { text, html } = messageFor(
        { kind: 'invitation', to, token, about: anInvitation(lure, '<a href="https://evil.example">Ada</a>') },
        links,
        from,
        at,
      );
      for (const part of [text, html]) {
        expect(part).not.to.match(/evil\.example|https?:\/\/(?!panel)|@evil/);
        expect(part).to.contain('https[:]//evil[.]example/x or mail win[@]evil[.]example');
      }
      expect(html.match(/<a /g)).to.have.length(1);
    });

    it('shortens long names, and removes what is invisible or reverses text', () => {
      const long = textOf(anInvitation('x'.repeat(200), 'A\u202eda\u2028Love\u200blace'));
      expect(long).to.contain(`“${'x'.repeat(80)}…”`);
      expect(long).to.contain('A da Love lace invited you');
    });

    it('leaves ordinary names as they are', () => {
      expect(textOf(anInvitation('St. John & Sons, Inc.', 'J.R.R. Tolkien'))).to.contain(
        'J.R.R. Tolkien invited you to join the organization “St. John & Sons, Inc.”',
      );
    });
  });

  it('escapes the link in the document', () => {
    const { html, text } = messageFor(aMail, { ...links, verifyEmail: () => `https://x.test/?a="><b>'&c` }, from, at);
    expect(html).to.contain('<a href="https://x.test/?a=&quot;&gt;&lt;b&gt;&#39;&amp;c"');
    expect(text).to.contain(`https://x.test/?a="><b>'&c`);
  });

  it('warns people who did not register that confirming activates an account with someone else’s password', () => {
    const { text } = messageFor({ kind: 'verify-email', to, token }, links, from, at);
    expect(text).to.match(/\nIf this was not you, please do not open the link: .*with the password they chose\./);
    expect(text).to.contain('Ignore this e-mail, and the account will be deleted after 7 days.');
    expect(text).to.contain('reset its password where you sign in first.');
  });

  describe('of a notice', () => {
    const chrome =
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36';

    it('states when it happened, and from where if known', () => {
      const known = aNotice({ network: '2001:db8::/64', userAgent: chrome });
      expect(messageFor(known, links, from, at).text).to.contain(
        '\n\nThis happened on 2026-03-01 at 12:34 UTC, from the network 2001:db8::/64, with Chrome on Android.\n\n',
      );
      expect(messageFor(aNotice(), links, from, at).text).to.contain(
        '\n\nThis happened on 2026-03-01 at 12:34 UTC.\n\n',
      );
    });

    it('contains nothing from the client’s user agent', () => {
      const lure = 'Call +1 555 0100 at once! https://evil.example Firefox/1.0';
      const { text, html } = messageFor(aNotice({ network: '192.0.2.1', userAgent: lure }), links, from, at);
      expect(text).to.contain('from the network 192.0.2.1, with Firefox.');
      expect(text + html).not.to.match(/555|evil|Call/);
    });

    it('announces that no more notices of its kind will be sent', () => {
      expect(messageFor(aNotice({ isLastForNow: true }), links, from, at).text).to.contain(
        'we will not send another one for at least an hour.',
      );
      expect(messageFor(aNotice(), links, from, at).text).not.to.contain('another one');
    });
  });
});

describe('the mail about a lapsing domain', () => {
  const record = { name: '_zonewright.shop.example', value: 'zonewright-verification=abc' };
  const organization = OrganizationName.parse('Visit evil.example now');
  const mail = { kind: 'domain-lapsing', to, organization, domain: 'shop.example', record } as const;
  const { text, subject, html } = messageFor(mail, links, from, at);

  it('shows the record to add, and by when', () => {
    expect(text)
      .to.contain('\nName: _zonewright.shop.example\n')
      .and.to.contain('\nValue: zonewright-verification=abc\n');
    expect(text).to.contain('within 7 days');
    expect(visibleText(html)).to.equal(text.replaceAll(/\s+/g, ' '));
  });

  it('makes no link of names, and has a constant subject', () => {
    expect(text).to.contain('shop[.]example').and.to.contain('evil[.]example');
    expect(html).not.to.contain('<a ');
    expect(subject).to.equal('A domain at Example Hosting is about to lapse');
  });
});

describe('the mail about lost host names', () => {
  const names = {
    organization: 'Visit evil.example now',
    zone: 'Shop',
    hostnames: ['www.shop.example', '*.shop.example'],
  };
  const { text, subject, html } = messageFor({ kind: 'host-names-lost', to, ...names }, links, from, at);

  it('names the zone and what it has lost, without links', () => {
    expect(text).to.contain('The zone Shop of').and.to.contain('\nwww[.]shop[.]example, *[.]shop[.]example\n');
    expect(text).to.contain('evil[.]example');
    expect(html).not.to.contain('<a ');
    expect(subject).to.equal('A zone at Example Hosting has lost host names');
    expect(visibleText(html)).to.equal(text.replaceAll(/\s+/g, ' '));
  });
});
