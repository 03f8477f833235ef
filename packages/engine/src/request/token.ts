const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Whether the text is a token (RFC 9110 section 5.6.2), like names of headers, cookies and methods. */
export const isToken = (text: string): boolean => token.test(text);
