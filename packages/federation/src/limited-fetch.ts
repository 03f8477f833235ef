import type { CustomFetch } from 'openid-client';

/** No metadata, key set, token or claims of a provider are longer. Bytes. */
const maxBytes = 1_000_000;

/** The provider sent more than `maxBytes`. */
class ResponseTooLong extends Error {}

/** `fetch` that reads responses at once, and refuses long ones: nobody else's memory depends on a provider. */
export const limitedFetch: CustomFetch = async (url, { body, ...options }) => {
  // The library's types of bodies are those of another declaration of `fetch`.
  const response = await fetch(url, { ...options, body: body as never });
  const { status, headers } = response;
  return new Response(await limited(response), { status, headers });
};

async function limited({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Bodies of responses consist of bytes.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ResponseTooLong();
    chunks.push(chunk);
  }
  return bytes === 0 ? null : new Uint8Array(Buffer.concat(chunks));
}
