import { createHmac, timingSafeEqual } from 'node:crypto';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const head = part({ alg: 'HS256', typ: 'JWT' });
const signatureOf = (text: string, key: Buffer): Buffer => createHmac('sha256', key).update(text).digest();

/** An access token of the floor. */
export function signed(sub: string, key: Buffer): string {
  const text = `${head}.${part({ sub })}`;
  return `${text}.${signatureOf(text, key).toString('base64url')}`;
}

/** The subject of a token that `signed` made. Throws if it did not. */
export function subjectOf(token: string, key: Buffer): string {
  const [first, claims = '', signature = ''] = token.split('.');
  const [expected, actual] = [signatureOf(`${first}.${claims}`, key), Buffer.from(signature, 'base64url')];
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) throw new Error('wrong signature');
  // As `signed` wrote it.
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}
