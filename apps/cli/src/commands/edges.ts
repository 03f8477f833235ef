import {
  administration,
  EdgeName,
  type EdgeStage,
  EnvironmentTag,
  edgeStages,
  type ListedEdge,
  parse,
  silentAfterSeconds,
  ZoneId,
} from '@zonewright/core';
import { accepted, acceptedArguments, CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { counted, type Report, table } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { parseOrganizationId } from './organization-id.ts';

/** Arguments for adding an edge; lists are separated by commas. */
export interface NewEdgeArguments {
  readonly name: string;
  readonly tags: string | undefined;
  readonly organizations: string | undefined;
  readonly stage: string;
}

/** Adds an edge, and shows its enrolment token once. */
export async function addEdge(
  { ports, operator }: Installation,
  { name, tags, organizations, stage }: NewEdgeArguments,
): Promise<Report> {
  const draft = {
    name: nameOf(name),
    stage: stageOf(stage),
    tags: listed(tags).map(tagOf),
    organizations: listed(organizations).map((number) => parseOrganizationId(Number(number))),
  };
  const { edge, token } = await accepted(administration(ports).addEdge(operator, draft));
  const lines = [
    `Added edge ${edge.name}. Its enrolment token, which is good once and within 24 hours:`,
    token,
    'Give it to the edge: zonewright-edge enrol, or EDGE_TOKEN at its first start.',
  ];
  return { json: { name: edge.name, token }, lines };
}

/** Lists all edges with what they last reported. */
export async function listEdges({ ports }: Installation): Promise<Report> {
  const edges = await accepted(administration(ports).listEdges());
  const rows = edges.map((edge) => [
    edge.name,
    edge.stage,
    scopeOf(edge),
    stateOf(edge),
    edge.state?.zones.applied ?? '',
    edge.state?.zones.rejected.length ?? '',
    edge.state?.version ?? '',
  ]);
  return {
    json: edges.map(shown),
    lines: table(['name', 'stage', 'scope', 'state', 'zones', 'rejected', 'version'], rows),
  };
}

/** Shows an edge with what it rejects. */
export async function showEdge({ ports }: Installation, { name }: { readonly name: string }): Promise<Report> {
  const edge = await accepted(administration(ports).readEdge(nameOf(name)));
  const { rejected = [] } = edge.state?.zones ?? {};
  const members = Object.entries({ ...shown(edge), rejected: undefined, scope: scopeOf(edge), state: stateOf(edge) });
  return {
    json: shown(edge),
    lines: [
      ...members.flatMap(([member, value]) => (value === undefined ? [] : [`${member}: ${String(value)}`])),
      ...rejected.map(({ id, code, message }) => `rejects ${id}: ${code}: ${message}`),
    ],
  };
}

/** Stops or resumes counting on an edge. */
export async function drainEdge(
  { ports, operator }: Installation,
  { name }: { readonly name: string },
  isDraining: boolean,
): Promise<Report> {
  await accepted(administration(ports).drainEdge(operator, nameOf(name), isDraining));
  const outcome = isDraining ? 'is draining: nothing waits for it any more' : 'is counted on again';
  return { json: { name, draining: isDraining }, lines: [`Edge ${name} ${outcome}.`] };
}

/** Removes an edge, after confirmation. */
export async function removeEdge(
  { ports, operator }: Installation,
  { name }: { readonly name: string },
  terminal: Terminal,
): Promise<Report> {
  const { readEdge, removeEdge: remove } = administration(ports);
  const edge = await accepted(readEdge(nameOf(name)));
  await terminal.confirm(`Remove edge ${edge.name}? Its key is refused from then on; it goes on serving what it has.`);
  await accepted(remove(operator, edge.name));
  return { json: { name, removed: true }, lines: [`Removed edge ${name}.`] };
}

/** Offers all edges the change of a zone that waits for canary edges. */
export async function releaseZone(
  { ports, operator }: Installation,
  { zone }: { readonly zone: string },
): Promise<Report> {
  const id = await acceptedArguments(parse(ZoneId, zone));
  await accepted(administration(ports).releaseZone(operator, id));
  return { json: { zone: id, released: true }, lines: [`All edges of zone ${id} are offered its last change.`] };
}

const misused = (line: string) => new CommandFailure([line], exitCodes.misused);

function nameOf(name: string): EdgeName {
  const parsed = EdgeName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw misused('The name of an edge consists of 1 to 63 characters of a-z, 0-9 and -.');
}

function tagOf(tag: string): EnvironmentTag {
  const parsed = EnvironmentTag.safeParse(tag);
  if (parsed.success) return parsed.data;
  throw misused(`There is no tag ${JSON.stringify(tag)}: use prod, stage or dev.`);
}

function stageOf(stage: string): EdgeStage {
  const known = edgeStages.find((each) => each === stage);
  if (known === undefined) throw misused(`There is no stage ${JSON.stringify(stage)}: use canary or main.`);
  return known;
}

const listed = (list: string | undefined): readonly string[] => list?.split(',').map((each) => each.trim()) ?? [];

const scopeOf = ({ tags, organizations }: ListedEdge): string =>
  [
    tags.length === 0 ? 'all tags' : tags.join(','),
    organizations.length === 0 ? 'all organizations' : `organizations ${organizations.join(',')}`,
  ].join(', ');

function stateOf({ isDraining, enrolledAt, state }: ListedEdge): string {
  if (enrolledAt === undefined) return 'not enrolled';
  if (state === undefined) return 'never reported';
  const ago = counted(Math.round(state.secondsAgo), 'second');
  const liveness = state.secondsAgo < silentAfterSeconds ? `reported ${ago} ago` : `silent for ${ago}`;
  return isDraining ? `draining, ${liveness}` : liveness;
}

const shown = ({ name, stage, tags, organizations, isDraining, createdAt, enrolledAt, state }: ListedEdge) => ({
  name,
  stage,
  tags,
  organizations,
  draining: isDraining,
  createdAt: createdAt.toISOString(),
  enrolledAt: enrolledAt?.toISOString(),
  reportedAt: state?.reportedAt.toISOString(),
  version: state?.version,
  zones: state?.zones.applied,
  rejected: state?.zones.rejected,
  unsupportedSettings: state?.unsupportedSettings,
});
