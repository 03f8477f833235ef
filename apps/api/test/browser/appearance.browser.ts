import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { clientOf } from '../support/client.ts';
import { type MemoryService, openMemoryService } from '../support/memory-service.ts';
import { flawsOf } from './support/legibility.ts';
import { visitor } from './support/visit.ts';

const visit = visitor();

const paths = ['/verify-email', '/reset-password', '/accept-invitation', '/explain', '/sign-in'] as const;

type Step = readonly [name: string, reach: (page: Page) => Promise<void>];

const start: Step = ['start', (page) => page.getByRole('button').first().waitFor()];
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const focused = (page: Page, text: string) => page.locator('h2:focus').filter({ hasText: text }).waitFor();

/** The steps of each page that can be reached without a mail, each continuing from the previous one. */
const steps: Readonly<Record<(typeof paths)[number], readonly Step[]>> = {
  '/verify-email': [
    start,
    [
      'refused',
      async (page) => {
        await press(page, 'Confirm my e-mail address');
        await focused(page, 'This link does not work');
      },
    ],
    [
      'sent',
      async (page) => {
        await page.getByLabel('E-mail address').fill('nobody@example.com');
        await press(page, 'Send me a new link');
        await focused(page, 'Check your e-mail');
      },
    ],
  ],
  '/reset-password': [
    start,
    [
      'empty',
      async (page) => {
        await press(page, 'Set the new password');
        await page.locator('input:focus').waitFor();
      },
    ],
  ],
  '/explain': [start],
  '/accept-invitation': [start],
  '/sign-in': [
    start,
    [
      'failed',
      async (page) => {
        await page.locator('#sign-in-email').fill('nobody@example.com');
        await page.locator('#sign-in-password').fill('wrong');
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByRole('alert').filter({ hasText: 'is wrong' }).waitFor();
      },
    ],
    [
      'register',
      async (page) => {
        await press(page, 'Create an account');
        await focused(page, 'Create an account');
      },
    ],
  ],
};

const sizes = { phone: { width: 320, height: 640 }, desktop: { width: 1280, height: 800 } };

describe('the built-in pages', () => {
  let service: MemoryService;
  before(async () => {
    service = await openMemoryService();
  });
  after(() => service.close());

  for (const path of [...paths, '/profile']) {
    it(`${path} keeps the API's security headers and allows itself no more than it needs`, async () => {
      const { headers } = await clientOf(service.url).get(path);
      expect(Object.fromEntries(headers)).to.include({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
    });
  }

  for (const path of paths) {
    it(`${path} has a language, a title, one main heading and a label for every field`, async () => {
      const { page } = await visit(`${service.url}${path}#token=any`);
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      expect(await page.locator('h1').count()).to.equal(1);
      expect(await page.title()).to.equal(`${title} – Zonewright`);
      expect(await page.locator('html').getAttribute('lang')).to.equal('en');
      const unlabelled = "[...document.querySelectorAll('input')].filter(({ labels }) => labels.length !== 1).length";
      expect(await page.evaluate(unlabelled)).to.equal(0);
    });

    it(`${path} explains itself where JavaScript is off`, async () => {
      const { page } = await visit(`${service.url}${path}#token=any`, { javaScriptEnabled: false });
      // With a debugger blocking scripts, as here, browsers do not render the `noscript` element.
      expect(await page.locator('noscript').textContent()).to.include('Please enable JavaScript');
      expect(await page.getByRole('button').count()).to.equal(0);
    });

    for (const [size, viewport] of Object.entries(sizes)) {
      it(`${path} is legible and fits a ${size} screen, light and dark`, async () => {
        const { page } = await visit(`${service.url}${path}#token=any`, { viewport });
        for (const [name, reach] of steps[path]) {
          await reach(page);
          expect(await flawsOf(page), name).to.deep.equal([]);
        }
      });
    }
  }

  it('fail a test when they violate the content security policy', async () => {
    const { page, complaints } = await visit(`${service.url}/verify-email#token=any`);
    const picture = page.waitForEvent('console', (message) => message.text() === 'violates img-src');
    await page.evaluate("document.body.setAttribute('style', 'color: red')");
    await page.evaluate(
      "document.body.append(Object.assign(new Image(), { src: 'https://pictures.invalid/picture.png' }))",
    );
    await picture;
    expect(complaints).to.include('violates style-src-attr').and.to.include('violates img-src');
    complaints.splice(0);
  });
});
