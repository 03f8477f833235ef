import { type DomainLapsingMail, type HostNamesLostMail, lapsingSeconds } from '@zonewright/core';
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

/** Sent to everyone who administers an organization when another one has proven names that it no longer could. */
export const hostNamesLost = ({ organization, zone, hostnames }: HostNamesLostMail): Content => ({
  subject: 'A zone at {service} has lost host names',
  before: [
    `The zone ${defused(zone)} of the organization “${defused(organization)}” at {service} has lost these host names:`,
    hostnames.map(defused).join(', '),
    'Requests for them were no longer answered by the zone, because the domain above them could no longer be verified. Now another organization has verified it, and uses the names.',
  ],
  after: [
    'The loss is the latest revision of the zone. If the domain is still yours, verify it again and ask the operators of the service.',
  ],
});
