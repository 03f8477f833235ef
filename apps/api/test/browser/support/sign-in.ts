import type { Page } from 'playwright-core';
import { password } from '../../support/arrange.ts';

/** Fills in the form of `/sign-in`. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.locator('#sign-in-email').fill(email);
  await page.locator('#sign-in-password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
