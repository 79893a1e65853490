import type {IncidentChange, IncidentReport} from '../../../log/incident/find-incident.ts';
import type {Instant} from '../../../log/line/instant.ts';
import {shapeWords} from '../../../log/shapes/shape-words.ts';
import {sanitiseWord} from '../../../log/text/sanitise.ts';
import type {Anchor} from '../../../log/view/log-view.ts';
import {countOf, formatCount} from '../../../log/words/format-count.ts';
import type {Tone} from '../../rows/tones.ts';
import type {LogState} from '../../state/state.ts';
import {labelName} from '../../words/branch-labels.ts';
import {
  distanceWords,
  incidentChangeWords,
  incidentClock,
  riseSentence,
  shareName,
  sharesWords,
  shareWords,
} from '../../words/incident-words.ts';
import {markerWords} from '../../words/marker-words.ts';

/** A row of the incident's pane; foreign text in it is safe. */
export type IncidentItem = {
  readonly section: string;
  /** A clock, or the day of what is older than one; empty for what has no time. */
  readonly time: string;
  readonly what: string;
  readonly tone: Tone;
  readonly right: string;
  /** Where it is in the log: an entry, or a time. A row without it only says something. */
  readonly place: Anchor | Instant | undefined;
};

/** As many of a section as leave room for the others. */
const changesBeforeMax = 4;
const changesSinceMax = 2;
const newShapesMax = 5;
const gapsMax = 3;

/** Wider than any terminal needs to tell shapes apart. */
const shapeCharsMax = 300;

/** Lists the rows of an incident: the rise, what changed before it, what is new, shares, gaps. */
export const listIncidentItems = (
  incident: IncidentReport,
  {sources}: Pick<LogState, 'sources'>,
): readonly IncidentItem[] => {
  // With one branch, no name is needed.
  const names = sources.length === 1 ? [] : sources.map(({branch}) => labelName(branch));
  const whose: Whose = source => (names[source] === undefined ? '' : `${names[source]}: `);
  return [
    {
      section: '',
      time: '',
      what: riseSentence(incident, incidentClock(incident)),
      tone: 'strong',
      right: '',
      place: incident.firstError,
    },
    ...changeItems(incident, whose),
    ...orWords(newItems(incident, whose), 'New', 'no kind of warning or error that is new'),
    ...shareItems(incident),
    ...gapItems(incident, whose),
  ];
};

/** Room is short: the clock of what is a day old says less than the day. */
const timeCell = (incident: IncidentReport, at: Instant): string => incidentClock(incident)(at).split(' ')[0] ?? '';

/** Returns the name of a branch to put before its rows. */
type Whose = (source: number) => string;

const orWords = (items: readonly IncidentItem[], section: string, what: string): readonly IncidentItem[] =>
  items.length > 0 ? items : [words(section, what)];

const words = (section: string, what: string): IncidentItem => ({
  section,
  time: '',
  what,
  tone: 'dim',
  right: '',
  place: undefined,
});

/** The nearest changes before the rise, or that there were none, and the first ones since. */
const changeItems = (incident: IncidentReport, whose: Whose): readonly IncidentItem[] => {
  const {changes, search} = incident;
  const isSince = ({at}: IncidentChange): boolean => search.kind === 'rise' && at > search.rise.at;
  const before = changes.filter(change => !isSince(change)).slice(-changesBeforeMax);
  const since = changes.filter(isSince).slice(0, changesSinceMax);
  const itemOf =
    (section: string) =>
    (change: IncidentChange): IncidentItem => ({
      section,
      time: timeCell(incident, change.at),
      what: whose(change.source) + incidentChangeWords(change),
      tone: 'accent',
      right: distanceWords(incident, change.at),
      place: change.isInLog ? {source: change.source, id: change.marker.id, at: change.marker.at} : change.at,
    });
  const section = search.kind === 'rise' ? 'Before it' : 'Changed';
  const items = before.map(itemOf(section));
  return [...orWords(items, section, 'no change of the branch or its pods is known'), ...since.map(itemOf('Since'))];
};

/** A warning that was new before the errors rose belongs to what led there. */
const isBefore = ({search}: IncidentReport, at: Instant): boolean => search.kind === 'rise' && at < search.rise.at;

const newItems = (incident: IncidentReport, whose: Whose): readonly IncidentItem[] => {
  const {newShapes} = incident;
  const items = newShapes.slice(0, newShapesMax).map(
    ({shape, count, firstAt, firstId, source}): IncidentItem => ({
      section: 'New',
      time: timeCell(incident, firstAt),
      what: whose(source) + sanitiseWord(shapeWords(shape), shapeCharsMax),
      tone: 'plain',
      right: `${formatCount(count)} ×${isBefore(incident, firstAt) ? `, ${distanceWords(incident, firstAt)}` : ''}`,
      place: {source, id: firstId, at: firstAt},
    }),
  );
  const others = newShapes.length - items.length;
  return others === 0 ? items : [...items, words('New', `and ${countOf(others, 'other')}`)];
};

const shareItems = ({shares}: IncidentReport): readonly IncidentItem[] =>
  shares === undefined
    ? []
    : [
        ...shares.shares.map(
          (share): IncidentItem => ({
            section: 'Share',
            time: '',
            what: shareName(share),
            tone: 'plain',
            right: shareWords(share),
            place: share.first,
          }),
        ),
        words('Share', sharesWords(shares)),
      ];

const gapItems = (incident: IncidentReport, whose: Whose): readonly IncidentItem[] =>
  incident.gaps.slice(0, gapsMax).map(({source, marker}) => ({
    section: 'Gaps',
    time: timeCell(incident, marker.at),
    what: whose(source) + markerWords(marker).words,
    tone: 'busy',
    right: '',
    place: {source, id: marker.id, at: marker.at},
  }));
