import type { Client, PageRequest } from '@zonewright/core';

/** A client without a network. */
export const noClient: Client = { network: undefined, userAgent: undefined };

/** The largest possible page. */
export const wholeList: PageRequest = { page: 1, itemsPerPage: 100 };
