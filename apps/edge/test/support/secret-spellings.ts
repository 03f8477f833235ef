import { all } from '../../../../packages/engine/test/zones.ts';
import { raw, statusesIn } from './edge.ts';
import { type EdgeDraft, originOn } from './zones.ts';

/** What the protected file holds, and where it is. */
export const secret = { text: 'the secret', path: '/secret/file.txt' } as const;

/** Spellings with which common origin servers answer what is at `secret.path` (seen with nginx and Python). */
export const bypassing = [
  '//secret/file.txt',
  '///secret/file.txt',
  '/.//secret/file.txt',
  '/public/..//secret/file.txt',
  '/%2Fsecret/file.txt',
  '/public/..%2fsecret/file.txt',
  '/public%2f..%2fsecret/file.txt',
  '/public/%2e%2e%2fsecret/file.txt',
  'http://a.example//secret/file.txt',
] as const;

/** Other spellings that a server might read as that path. */
export const others = [
  secret.path,
  '/./secret/file.txt',
  '/%2e/secret/file.txt',
  '/../secret/file.txt',
  '/public/../secret/file.txt',
  '/public/%2e%2e/secret/file.txt',
  '/public/.%2E/secret/file.txt',
  '/public//../secret/file.txt',
  '/public//..//secret/file.txt',
  '//public/../secret/file.txt',
  '/public/..//../secret/file.txt',
  '/secret//file.txt',
  '/secret/./file.txt',
  '/secret%2ffile.txt',
  '/secret/../secret/file.txt',
  '/secret/file.txt?a',
  '/secret/file.txt/',
  '/%73ecret/file.txt',
  '/sec%72et/file.txt',
  '/%2573ecret/file.txt',
  '/%252fsecret/file.txt',
  '/%252e%252e%252fsecret/file.txt',
  '/public/..%252fsecret/file.txt',
  '/%2f%2fsecret/file.txt',
  '/%2f/secret/file.txt',
  '/public/..%2f/secret/file.txt',
  '/%5csecret/file.txt',
  '/\\secret/file.txt',
  '/public\\..\\secret/file.txt',
  '/public/..\\secret/file.txt',
  '/public/..%5csecret/file.txt',
  '/public/..;/secret/file.txt',
  '/public/..;a=b/secret/file.txt',
  '/public/.;/../secret/file.txt',
  '/;/secret/file.txt',
  '/secret;a/file.txt',
  '/SECRET/file.txt',
  '/%00/secret/file.txt',
  '/secret%00/file.txt',
  '/public/..%00/secret/file.txt',
  '/%u0073ecret/file.txt',
  '/public/%c0%ae%c0%ae/secret/file.txt',
  '/public/..%c0%afsecret/file.txt',
  '/%%32fsecret/file.txt',
  'http://a.example/%2fsecret/file.txt',
  'http://a.example/public/..//secret/file.txt',
] as const;

const conditions = all('uri starts_with /secret');
const guards = {
  'an access rule': { access: [{ action: 'block', conditions }] },
  'basic auth': { rules: [{ conditions, settingsOverrides: { basicAuth: { enabled: true } } }] },
} as const;

/** How a path is protected. */
export const guardNames = ['an access rule', 'basic auth'] as const;

/** A zone that protects `/secret` of the origin server on the port. */
export const guarded = (by: (typeof guardNames)[number], port: number, settings: EdgeDraft['settings']): EdgeDraft => ({
  settings: settings ?? {},
  ...guards[by],
  backends: [originOn(port)],
});

/** The spellings that are answered with the secret. */
export async function answeredWithSecret(
  edge: { readonly port: number },
  spellings: readonly string[],
): Promise<readonly string[]> {
  const answers = await Promise.all(
    spellings.map((target) => raw(edge, `GET ${target} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`)),
  );
  return spellings.filter((_, at) => {
    const answer = answers[at] ?? '';
    if (statusesIn(answer).length !== 1) throw new Error(`${spellings[at]} has no answer: ${answer}`);
    return answer.includes(secret.text);
  });
}
