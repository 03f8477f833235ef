import { z } from 'zod';

/** The Host header that a backend is asked with. */
export const requestHostname = z
  .string()
  .min(1)
  .max(253)
  .meta({
    description: 'Host header to send to the backend; if absent, that of the request.',
    examples: ['shop.example.com'],
  });
