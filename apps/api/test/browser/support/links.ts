import type { Mailbox } from '../../support/mailbox.ts';
import type { TestService } from '../../support/service.ts';

/** Waits for the mail to the address that leads to the page, and takes the link out of it. */
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

/** Makes the tokens that were mailed to a user expire. */
export const expireTokens = ({ database }: TestService, email: string): Promise<null> =>
  database.none(
    `UPDATE mailed_tokens SET expires_at = now() - interval '1 second'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );
