/** The `Link` of an answer: the links it has of its own, and the one to the documentation that every answer has. */
export const withDocumentation = ({ url }: { readonly url: string }, links?: string): string =>
  [links, `<${url}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`]
    .filter((each) => each !== undefined)
    .join(', ');
