import { z } from 'zod';

/** The Host header field of requests to a backend. */
export const requestHostname = z
  .string()
  .min(1)
  .max(253)
  .meta({
    description: 'Host header to send to the backend; if absent, that of the request.',
    examples: ['shop.example.com'],
  });
