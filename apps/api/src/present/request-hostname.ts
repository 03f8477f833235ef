import { z } from 'zod';

/** The Host header that a backend is asked with. */
export const requestHostname = z
  .string()
  .min(1)
  .max(253)
  .meta({
    description: 'Host header that is sent; absent for that of the request.',
    examples: ['shop.example.com'],
  });
