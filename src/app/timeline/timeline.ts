import {findingWords} from '#app/words/incident-words.ts';
import {basisWords, uncoveredWords} from '#app/words/verdict-words.ts';
import {maskSecrets} from '#base/secret.ts';
import {markersOf} from '#log/buffer/entry-list.ts';
import type {IncidentReport} from '#log/incident/find-incident.ts';
import {isChange, isTrouble} from '#log/incident/incident-finding.ts';
import type {IncidentSource, TimeSpan} from '#log/incident/verdict.ts';
import type {GapMarker, Marker} from '#log/line/entry.ts';
import {formatInstant, type Instant} from '#log/line/instant.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {describeMarker} from '#log/words/describe-marker.ts';

/** `guard`: what the guard told, and paged somebody with unless it says otherwise. */
export type TimelineKind = 'onset' | 'end' | 'change' | 'restart' | 'pod' | 'gap' | 'blind' | 'guard' | 'mark';

/** What happened in a log; `until` is undefined of a moment, and of what goes on. All words are safe to draw. */
export type TimelineRow = {
  readonly what: TimelineKind;
  readonly at: Instant;
  readonly until: Instant | undefined;
  /** Null: all of them. */
  readonly branch: string | null;
  readonly text: string;
  /** On what that rests. */
  readonly basis: string;
  /** The command that opens the log there. */
  readonly link: string | undefined;
};

/** What the guard told. */
type TimelineTold = {readonly at: Instant; readonly text: string; readonly basis: string | null};

/** What is known of one log. */
export type TimelineLog = {
  readonly branch: string;
  readonly source: IncidentSource;
  /** What is found in this log alone. */
  readonly report: IncidentReport;
  readonly marks: readonly {readonly at: Instant; readonly note: string}[];
  readonly told: readonly TimelineTold[];
  readonly linkTo: (at: Instant) => string | undefined;
};

/** More is no reading for a post-mortem. */
const rowsMax = 1000;
/** Of a text that others wrote. */
const charsMax = 300;

const stampLength = '2026-11-21T14:02:11'.length;

/** A time to the second. */
export const formatSecond = (at: Instant): string => `${formatInstant(at).slice(0, stampLength)}Z`;

const safe = (text: string): string => maskSecrets(sanitiseWord(text, charsMax));

type Told = Omit<TimelineRow, 'branch' | 'link'>;

const dayNanos = 86_400_000_000_000n;

/** A clock beside the time of a row, if that leaves no doubt of the day. */
const formatFor = ({basis: {asked}, from}: IncidentReport): ((at: Instant) => string) =>
  asked.to - (asked.from < from ? asked.from : from) > dayNanos
    ? formatSecond
    : at => formatInstant(at).slice(11, stampLength);

const findingRows = (report: IncidentReport): readonly Told[] => {
  const format = formatFor(report);
  return report.findings.flatMap((finding): readonly Told[] => {
    const {lead, subject, detail} = findingWords(finding, report, format);
    const {what, of, since: at, until, mayBeOlder, confidence} = finding;
    const words = [lead === format(at) ? '' : lead, subject].filter(Boolean).join(' ');
    const basis = `${confidence}, ${basisWords(report, format)}`;
    if (isChange(finding)) {
      // Those of pods and of the branch are markers.
      const isOfLines = of === 'field' || what === 'restart';
      return isOfLines
        ? [{what: what === 'restart' ? what : 'change', at, until: undefined, text: safe(words), basis}]
        : [];
    }
    if (!isTrouble(finding)) {
      return [];
    }
    const parts = [words, mayBeOlder ? 'may have begun before the log held does' : '', detail];
    const onset: Told = {what: 'onset', at, until, text: safe(parts.filter(Boolean).join(', ')), basis};
    const end: Told = {what: 'end', at: until ?? at, until: undefined, text: safe(`over: ${words}`), basis};
    return until === undefined ? [onset] : [onset, end];
  });
};

const gapBasis: Readonly<Record<NonNullable<GapMarker['proof']>, string>> = {
  counted: 'the lines are numbered',
  said: 'what is said of the windows',
  inferred: 'inferred from the windows',
};

const markerRows = (marker: Marker, part: string | undefined): readonly Told[] => {
  const text = describeMarker(marker, 'sentence', safe, undefined, part);
  const {at} = marker;
  switch (marker.kind) {
    case 'gap':
      return [{what: 'gap', at: marker.after, until: marker.before, text, basis: gapBasis[marker.proof ?? 'inferred']}];
    case 'quiet':
      return [{what: 'gap', at: marker.since, until: at, text, basis: 'windows without lines'}];
    case 'pod':
      // A file comes when it is opened.
      return part === 'file' && marker.ending === undefined
        ? []
        : [{what: 'pod', at, until: undefined, text, basis: `the ${part ?? 'pod'}s that are listed`}];
    case 'change':
      return [{what: 'change', at: marker.happenedAt ?? at, until: undefined, text, basis: 'the record of the branch'}];
    case 'horizon':
      return [];
    default:
      return marker satisfies never;
  }
};

/** What is a gap is a marker, too, and where the log held begins is said above the rows. */
const blindRows = ({basis: {uncovered}}: IncidentReport): readonly Told[] =>
  uncovered
    .filter(({why}) => ['silence', 'unreadable', 'outage', 'notLines'].includes(why))
    .map(part => ({
      ...{what: 'blind', at: part.from, until: part.to, text: safe(uncoveredWords(part, formatSecond))},
      basis: 'what the last answer holds',
    }));

const toldRow = ({at, text, basis}: TimelineTold): Told => ({
  ...{what: 'guard', at, until: undefined, text: safe(text)},
  basis: safe(basis ?? 'what the guard saw'),
});

const keptRows = ({told, marks}: Pick<TimelineLog, 'told' | 'marks'>): readonly Told[] => [
  ...told.map(toldRow),
  ...marks.map(({at, note}): Told => {
    return {what: 'mark', at, until: undefined, text: safe(note) || 'marked', basis: 'somebody marked it'};
  }),
];

const rowsOf = ({branch, source, report, marks, told, linkTo}: TimelineLog): readonly TimelineRow[] => {
  const {knownChanges, buffer, part} = source;
  const markers = [...knownChanges, ...buffer.chunks.flatMap(markersOf).map(({marker}) => marker)];
  const rows = [
    ...findingRows(report),
    ...markers.flatMap(marker => markerRows(marker, part)),
    ...blindRows(report),
    ...keptRows({told, marks}),
  ];
  const unique = new Map(rows.map(row => [`${row.what} ${row.at} ${row.text}`, row]));
  return [...unique.values()].map(row => ({...row, branch: safe(branch), link: linkTo(row.at)}));
};

/**
 * Returns what happened in logs within a range of time, in order, with the guard's reports and the user's marks. Of
 * more rows than anybody reads, returns the newest, and how many were left out.
 */
export const timelineOf = (
  logs: readonly TimelineLog[],
  ofAll: Pick<TimelineLog, 'told' | 'marks'>,
  {from, to}: TimeSpan,
): {readonly rows: readonly TimelineRow[]; readonly leftOut: number} => {
  const kept = keptRows(ofAll).map(row => ({...row, branch: null, link: undefined}));
  const all = [...logs.flatMap(rowsOf), ...kept]
    .filter(({at, until}) => at <= to && (until ?? at) >= from)
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return {rows: all.slice(-rowsMax), leftOut: Math.max(0, all.length - rowsMax)};
};
