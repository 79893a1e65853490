import type {IncidentReport} from '../../../log/incident/find-incident.ts';
import {type IncidentFinding, isChange, isSameFinding} from '../../../log/incident/incident-finding.ts';
import type {Instant} from '../../../log/line/instant.ts';
import type {Anchor} from '../../../log/view/log-view.ts';
import type {Tone} from '../../rows/tones.ts';
import type {LogState, State} from '../../state/state.ts';
import {labelName} from '../../words/branch-labels.ts';
import {findingWords, incidentClock} from '../../words/incident-words.ts';
import {markerWords} from '../../words/marker-words.ts';
import {errorsSentence} from '../../words/verdict-words.ts';
import {findingWatchWords} from './finding-watch-words.ts';
import {olderWords} from './older-words.ts';

/** A row of the incident's pane; foreign text in it is safe. */
export type IncidentItem = {
  /** A figure, or the head of the rows that follow. */
  readonly lead: string;
  readonly what: string;
  readonly tone: Tone;
  readonly detail: string;
  /** Where it is in the log: an entry, or a time. A row without it only says something. */
  readonly place: Anchor | Instant | undefined;
  /** Which finding it tells. */
  readonly finding: IncidentFinding | undefined;
};

const gapsMax = 3;

/** Lists the rows of an incident: what is wrong, what changed, gaps. */
export const listIncidentItems = (
  state: Pick<State, 'nowMs' | 'clockOffsetMs'>,
  log: LogState,
  incident: IncidentReport,
): readonly IncidentItem[] => {
  const {sources, findingWatch} = log;
  // With one branch, no name is needed.
  const names = sources.length === 1 ? [] : sources.map(({branch}) => labelName(branch));
  const whose = (source: number | undefined): string =>
    source === undefined || names[source] === undefined ? '' : `${names[source]}: `;
  const clock = incidentClock(incident);
  const itemOf = (finding: IncidentFinding, index: number, all: readonly IncidentFinding[]): IncidentItem => {
    const {lead, subject, detail: said} = findingWords(finding, incident, clock);
    const isWatched = findingWatch !== undefined && isSameFinding(findingWatch.finding, finding);
    const watched = isWatched ? findingWatchWords(state, log)?.words : undefined;
    const detail = [watched, said].filter(words => words).join('; ');
    const what = whose(finding.first?.source) + subject;
    const place = finding.first ?? finding.since;
    if (!isChange(finding)) {
      const tone = finding.confidence === 'sure' ? 'strong' : 'plain';
      return {lead, what, tone, detail, place, finding};
    }
    const isFirst = all.findIndex(isChange) === index;
    return {lead: isFirst ? 'Changed' : '', what: `${lead}  ${what}`, tone: 'accent', detail, place, finding};
  };
  const {findings, gaps, verdict} = incident;
  return [
    ...(verdict.kind === 'found' ? [] : [words(verdict.kind === 'calm' ? 'Calm' : 'Unsure', errorsSentence(incident))]),
    ...findings.map(itemOf),
    ...(findings[0]?.mayBeOlder === true ? [words('Older', olderWords(log))] : []),
    ...(findings.some(isChange) ? [] : [words('Changed', 'nothing that the lines, the branch or its pods tell of')]),
    ...gaps.slice(0, gapsMax).map(
      ({source, marker}, index): IncidentItem => ({
        lead: index === 0 ? 'Gaps' : '',
        what: whose(source) + markerWords(marker).words,
        tone: 'busy',
        detail: '',
        place: {source, id: marker.id, at: marker.at},
        finding: undefined,
      }),
    ),
  ];
};

const words = (lead: string, what: string): IncidentItem => ({
  ...{lead, what, tone: 'plain', detail: '', place: undefined, finding: undefined},
});
