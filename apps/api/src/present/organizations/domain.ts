import { type ResourceDescription, readOnly, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import {
  type Domain,
  DomainName,
  domainProblems,
  domainStates,
  domainVersion,
  unicodeNameOf,
  verificationRecord,
} from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

/** A DNS name that an organization has proven to control. */
export const domainResource = {
  type: 'Domain',
  title: 'domain',
  description: 'A DNS name. Once the organization has proven that it controls it, zones can have host names below it.',
  schema: z.object({
    id: uuid('Id of the domain.'),
    organization: readOnlyLink('Organization', 'The organization that the domain belongs to.'),
    name: DomainName.meta({
      description: 'At least two labels; Unicode is converted to A-labels. Not a public suffix such as `co.uk`.',
      examples: ['example.com'],
    }),
    unicodeName: readOnly(z.string(), 'The name as people read it, where it differs.').optional(),
    state: readOnly(
      z.enum(domainStates),
      'Only `verified` and `lapsing` domains cover host names. A domain is `lapsing` when its record has been missing for two days, and `lapsed` a week later.',
    ),
    record: readOnly(
      z.object({
        name: z.string().meta({ description: 'Where the record has to be.', examples: ['_zonewright.example.com'] }),
        type: z.literal('TXT').meta({ description: 'Type of the record.' }),
        value: z.string().meta({
          description: 'The text of the record. There may be others beside it.',
          examples: ['zonewright-verification=Fq0wTn2cJYkX1c3mM8l9uVb5rZ7sKdE4hPgA6iNoLxY'],
        }),
      }),
      'The DNS record that proves control.',
    ),
    createdAt: timestamp('When the domain was added.'),
    updatedAt: timestamp('When its state last changed.'),
    checkedAt: timestamp('When its record was last looked for.').optional(),
    nextCheckAt: timestamp('When its record is looked for next.').optional(),
    verifiedAt: timestamp('When it last became verified.').optional(),
    problem: readOnly(
      z.object({
        code: z.enum(domainProblems).meta({ description: 'What was wrong.' }),
        message: z.string().meta({ description: 'For people.' }),
      }),
      'Why the last check did not find the record.',
    ).optional(),
  }),
} as const satisfies ResourceDescription;

export const presentDomain = (domain: Domain) =>
  itemOf(
    domainResource,
    { iri: iri.domain(domain), version: domainVersion(domain) },
    {
      ...domain,
      organization: iri.organization(domain.organizationId),
      unicodeName: unicodeNameOf(domain.name),
      record: verificationRecord(domain),
      problem: domain.problem && { code: domain.problem.code, message: domain.problem.message },
    },
  );

export const presentDomains = presentPage(domainResource.type, presentDomain);
