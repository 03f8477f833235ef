/** The problem type for input that is not a valid HTTP request; the title comes from the status. */
export const unreadableRequest = {
  slug: 'unreadable-request',
  title: 'Unreadable request',
  statuses: [400, 408, 413, 417, 431],
  detail: 'The request could not be read.',
  advice: 'Send a valid HTTP/1.1 request without long pauses and with at most 16 KiB of header fields.',
} as const;
