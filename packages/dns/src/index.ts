/** The public API of the DNS adapter. */

export { nodeDns } from './node-dns.ts';
