/** The `Link` field of a response: its own links, and the documentation link that every response carries. */
export const withDocumentation = ({ url }: { readonly url: string }, links?: string): string =>
  [links, `<${url}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`]
    .filter((each) => each !== undefined)
    .join(', ');
