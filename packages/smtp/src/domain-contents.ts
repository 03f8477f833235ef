import { type DomainLapsingMail, lapsingSeconds } from '@zonewright/core';
import type { Content } from './content.ts';
import { defused } from './defused.ts';

const days = lapsingSeconds / (24 * 60 * 60);

/** Sent once to everyone who administers an organization when one of its domains can no longer be proven. */
export const domainLapsing = ({ domain, organization, record }: DomainLapsingMail): Content => ({
  subject: 'A domain at {service} is about to lapse',
  before: [
    `The domain ${defused(domain)} of the organization “${defused(organization)}” at {service} can no longer be verified: its DNS record has been missing for two days.`,
    'To keep the domain, add this TXT record to DNS again:',
    `Name: ${record.name}`,
    `Value: ${record.value}`,
  ],
  after: [
    `Unless the record is back within ${days} days, requests for the host names of this domain will no longer be answered.`,
    'As soon as the record is back, everything is as before. If you do not need the domain any more, remove its host names from your zones and delete it.',
  ],
});
