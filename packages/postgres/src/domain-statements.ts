import { statementFile as file } from './statement.ts';

/** The statements about domains. */
export const domainStatements = {
  domains: {
    add: file('domains/add.sql'),
    list: file('domains/list.sql'),
    total: file('domains/total.sql'),
    byId: file('domains/by-id.sql'),
    named: file('domains/named.sql'),
    remove: file('domains/remove.sql'),
  },
  domainLooks: {
    claim: file('domain-looks/claim.sql'),
    lock: file('domain-looks/lock.sql'),
    record: file('domain-looks/record.sql'),
  },
} as const;
