import type { Mailbox } from '../../support/mailbox.ts';
import { changeRows, type MemoryService } from '../../support/memory-service.ts';

/** Waits for the mail to the address that links to the page, and returns the link. */
export async function mailedLink(
  { mails }: { readonly mails: Mailbox },
  address: string,
  path: string,
): Promise<string> {
  for (;;) {
    const { text = '' } = await mails.nextMailTo(address);
    const [link] = /http\S+#token=\S+/.exec(text) ?? [];
    if (link !== undefined && new URL(link).pathname === path) return link;
  }
}

/** Expires the tokens mailed to a user. */
export const expireTokens = ({ inTables }: MemoryService, address: string): void =>
  inTables(({ mailedTokens }) =>
    changeRows(mailedTokens, ({ email }) => email === address, { expiresAt: new Date(0) }),
  );
