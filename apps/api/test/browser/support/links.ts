import type { Mailbox } from '../../support/mailbox.ts';
import type { TestService } from '../../support/service.ts';

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
export const expireTokens = ({ database }: TestService, email: string): Promise<null> =>
  database.none(
    `UPDATE mailed_tokens SET expires_at = now() - interval '1 second'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );
