import type {BranchFacts, FilterFacts} from '#app/export/exporter.ts';
import type {ExportInput, Tally} from '#app/export/manifest.ts';
import type {Scope} from '#app/parts/log-parts.ts';
import {sumPolls} from '#app/tail/polls.ts';
import {partWord} from '#app/words/branch-labels.ts';
import {findingWords, proofLines} from '#app/words/incident-words.ts';
import {markerWords} from '#app/words/marker-words.ts';
import {basisWords, errorsSentence, uncoveredWords, verdictTitle} from '#app/words/verdict-words.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {type IncidentFinding, isChange} from '#log/incident/incident-finding.ts';
import {formatInstant, type Instant, instantFromMs} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {LogView, SourcedEntry} from '#log/view/log-view.ts';
import type {SourcePick} from '#log/view/sources.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {sinceWord} from '#log/words/proof-words.ts';
import {sourceWordsInFull} from '#log/words/source-words.ts';

/** A marked line or marker, and the entries around it. */
export type NotedMark = {
  readonly at: Instant;
  readonly source: number;
  readonly note: string;
  readonly around: readonly SourcedEntry[];
};

export type IncidentInput = ExportInput & {
  readonly marks: readonly NotedMark[];
  readonly incident?: IncidentReport | undefined;
  /** Whether a finding that is watched stopped, in words. */
  readonly watched?: string | undefined;
  /** All that is held, for the lines that prove the findings. */
  readonly all: LogView;
};

const nameCharsMax = 200;
/** The beginning of a longer line shows what it is about. */
const lineCharsMax = 2_000;
const noteCharsMax = 1_000;
/** As many rows as somebody reads; the note says how many are left out. */
const markerRowsMax = 200;
/** The manifest of saved lines names all of them. */
const sourcesNamedMax = 20;

const word = (text: string): string => escapeMarkdown(sanitiseWord(text, nameCharsMax));

/**
 * Returns an incident note in Markdown: which log, its time range, what is other than before, whether
 * anything may be missing, its markers, and the marked lines.
 */
export const formatIncident = (input: IncidentInput): string => {
  const {facts, tally, chosen, marks, incident, version} = input;
  const {context, site, branches, savedAtMs} = facts;
  const place = `${word(site.name ?? site.id)} › ${branches.map(({name}) => word(name)).join(', ')}`;
  const part = partWord(context);
  const parts = [
    `# Incident: ${place}`,
    [
      `- Service: ${word(context.host)}, context ${word(context.name)}`,
      `- Site: ${word(site.name ?? site.id)}, id ${word(site.id)}`,
      ...branches.map(({name, id}) => `- Branch: ${word(name)}, id ${word(id)}`),
      `- Range: ${rangeWords(tally)}`,
      `- Lines: ${lineWords(tally)}`,
      `- Chosen: ${chosenWords(chosen, facts.filters)}`,
      `- Written: ${formatInstant(instantFromMs(savedAtMs))} by branchlog ${word(version)}; all times are in UTC`,
    ].join('\n'),
    ...(incident === undefined ? [] : noteFindings(incident, input)),
    '## Is anything missing?',
    branches.map(branch => heldWords(branch, tally)).join('\n'),
    '## What happened',
    markerTable(branches, tally, part),
    '## Marks',
    ...(marks.length === 0
      ? ['Nothing was marked.']
      : marks.flatMap((mark, index) => formatMark(branches, mark, index, part))),
  ];
  return `${parts.join('\n\n')}\n`;
};

const rangeWords = ({firstAt, lastAt}: Tally): string =>
  firstAt === undefined || lastAt === undefined ? 'no lines' : `${formatInstant(firstAt)} to ${formatInstant(lastAt)}`;

const lineWords = ({lineCount, errorCount, lateCount}: Tally): string =>
  `${countOf(lineCount, 'line')}, ${countOf(errorCount, 'error')} among them, ${formatCount(lateCount)} came late`;

const chosenWords = (chosen: Scope['chosen'], filters: FilterFacts): string => {
  const {includes, excludes, minimumLevel, sources, range, isComplete} = filters;
  const words = [
    ...includes.map(query => `only lines with ${word(query)}`),
    ...excludes.map(query => `no lines with ${word(query)}`),
    ...(minimumLevel === 'none' ? [] : [`level ${minimumLevel} or worse`]),
    ...(sources === undefined ? [] : [pickedSourceWords(sources)]),
    ...(range?.from === undefined ? [] : [`nothing before ${range.from}`]),
    ...(range?.to === undefined ? [] : [`nothing after ${range.to}`]),
    ...(isComplete ? [] : ['not every line had been tried yet']),
  ];
  const scope = chosen === 'picked' ? 'lines that were picked' : 'all lines held';
  return words.length === 0 ? scope : `${scope}, filtered: ${words.join('; ')}`;
};

const pickedSourceWords = ({kind, names}: SourcePick): string => {
  const named = names.slice(0, sourcesNamedMax).map(name => word(sourceWordsInFull(name)) || 'lines without a source');
  const leftOut = names.length - named.length;
  const others = leftOut === 0 ? [] : [countOf(leftOut, 'other source')];
  return `${kind === 'only' ? 'only lines of' : 'no lines of'} ${[...named, ...others].join(', ')}`;
};

const heldWords = (branch: BranchFacts, {gapCount}: Tally): string => {
  const {name, horizon, held, evictedLines, tooLateLines, polls} = branch;
  const {polls: pollCount, failed} = sumPolls([polls]);
  const words = [
    held === undefined
      ? 'no line came yet'
      : `${sinceWord(held.proof)} since ${formatInstant(held.since)}, ${held.restsOn}`,
    `${countOf(branch.gapCount, 'gap')} since it was opened, ${formatCount(gapCount)} in this range`,
    ...(horizon === undefined ? [] : [`nothing older than ${formatInstant(horizon)} was read`]),
    `${countOf(pollCount, 'poll')}, ${formatCount(failed)} failed`,
    ...(evictedLines === 0 ? [] : [`${countOf(evictedLines, 'older line')} left the buffer`]),
    ...(tooLateLines === 0 ? [] : [`${countOf(tooLateLines, 'line')} came too late for the buffer`]),
  ];
  return `- ${word(name)}: ${words.join('; ')}`;
};

const markerTable = (branches: readonly BranchFacts[], {markers, markersLeftOut}: Tally, part: string): string => {
  if (markers.length === 0) {
    return `No gap, no ${part} that came or went, no change of the branch.`;
  }
  const rows = markers
    .slice(0, markerRowsMax)
    .map(({source, marker}) => [
      formatInstant(marker.at),
      word(branches[source]?.name ?? ''),
      escapeMarkdown(markerWords(marker, {part}).words),
    ]);
  const leftOut = markers.length - rows.length + markersLeftOut;
  const table = formatRows(['time', 'branch', 'what'], rows);
  return leftOut === 0 ? table : `${table}\n\n${formatCount(leftOut)} more are left out here.`;
};

const formatMark = (
  branches: readonly BranchFacts[],
  {at, source, note, around}: NotedMark,
  index: number,
  part: string,
): readonly string[] => [
  `### ${index + 1}. ${formatInstant(at)}, ${word(branches[source]?.name ?? '')}`,
  ...(note === '' ? [] : [`> ${escapeMarkdown(sanitiseWord(note, noteCharsMax))}`]),
  fenceRows(
    around.map(({entry}) =>
      entry.kind === 'line' ? sanitiseWord(entry.raw, lineCharsMax) : `-- ${markerWords(entry, {part}).words} --`,
    ),
  ),
];

/**
 * Returns the parts of an incident note about what is other than before: what is wrong and what changed. Side by side:
 * it claims no cause.
 */
const noteFindings = (
  incident: IncidentReport,
  {facts: {branches}, watched, all}: IncidentInput,
): readonly string[] => {
  const {from, to, verdict, basis, findings} = incident;
  const rowOf = (finding: IncidentFinding): readonly string[] => {
    const {lead, subject, detail} = findingWords(finding, incident, formatInstant);
    const branch = finding.first === undefined ? '' : (branches[finding.first.source]?.name ?? '');
    return [
      formatInstant(finding.since),
      escapeMarkdown(sanitiseWord(branch, nameCharsMax)),
      escapeMarkdown(isChange(finding) ? subject : `${lead} ${subject}`),
      escapeMarkdown(detail),
    ];
  };
  const tableOf = (some: readonly IncidentFinding[], otherwise: string): string =>
    some.length === 0 ? otherwise : formatRows(['since', 'branch', 'what', ''], some.map(rowOf));
  const proof = new Set(findings.flatMap(finding => proofLines(finding, all)));
  return [
    '## What is wrong',
    escapeMarkdown(`${verdictTitle(incident, formatInstant)}.`),
    [
      `- Asked: ${formatInstant(basis.asked.from)} to ${formatInstant(basis.asked.to)}`,
      `- Read: ${formatInstant(from)} to ${formatInstant(to)}`,
      `- Basis: ${escapeMarkdown(basisWords(incident, formatInstant))}`,
      ...basis.uncovered
        .slice(0, markerRowsMax)
        .map(part => `- Not covered: ${escapeMarkdown(uncoveredWords(part, formatInstant))}`),
    ].join('\n'),
    ...(watched === undefined ? [] : [`Watched: ${escapeMarkdown(watched)}.`]),
    tableOf(
      findings.filter(finding => !isChange(finding)),
      verdict.kind === 'found' ? '' : escapeMarkdown(`${errorsSentence(incident)}.`),
    ),
    '## What changed',
    tableOf(findings.filter(isChange), 'Nothing that the lines, the branch or its pods report.'),
    ...(proof.size === 0 ? [] : ['## The first and the last line of each', fenceRows([...proof])]),
  ];
};

/**
 * Escapes a text for Markdown, so that no character has a special meaning. The text must be one row and already safe to
 * draw.
 */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');

/** Returns rows of text as a code block with a fence that none of them can close. */
const fenceRows = (rows: readonly string[]): string => {
  const longest = rows.reduce(
    (most, row) => (row.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), most),
    0,
  );
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}text`, ...rows, fence].join('\n');
};

/** Returns a Markdown table; the cells must be Markdown already. */
const formatRows = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
