import type {IncidentReport} from '../../log/incident/find-incident.ts';
import {formatInstant} from '../../log/line/instant.ts';
import {shapeWords} from '../../log/shapes/shape-words.ts';
import {sanitiseWord} from '../../log/text/sanitise.ts';
import {formatCount} from '../../log/words/format-count.ts';
import type {BranchFacts} from '../state/facts.ts';
import {
  distanceWords,
  incidentChangeWords,
  incidentSinceWords,
  riseSentence,
  shareName,
  sharesWords,
  shareWords,
} from '../words/incident-words.ts';
import {escapeMarkdown, formatRows} from './markdown.ts';

const nameCharsMax = 200;
/** As many rows as somebody reads; the note says how many are left out. */
const newShapesMax = 50;

/**
 * Returns the parts of an incident note about the last rise of errors: when, what changed before, what is new, and what
 * carries it. Side by side: it claims no cause.
 */
export const noteRise = (incident: IncidentReport, branches: readonly BranchFacts[]): readonly string[] => {
  const nameOf = (source: number): string => escapeMarkdown(sanitiseWord(branches[source]?.name ?? '', nameCharsMax));
  const {changes, newShapes, shares, from, to} = incident;
  const left = newShapes.length - newShapesMax;
  return [
    '## When errors rose',
    escapeMarkdown(riseSentence(incident, formatInstant)),
    escapeMarkdown(
      `Below: ${formatInstant(from)} to ${formatInstant(to)}, ${incidentSinceWords(incident, formatInstant)}.`,
    ),
    '## What changed before',
    changes.length === 0
      ? 'No change of the branch or its pods is known.'
      : formatRows(
          ['time', '', 'branch', 'what'],
          changes.map(change => [
            formatInstant(change.at),
            distanceWords(incident, change.at),
            nameOf(change.source),
            escapeMarkdown(incidentChangeWords(change)),
          ]),
        ),
    '## What is new',
    newShapes.length === 0
      ? 'No kind of warning or error is new.'
      : formatRows(
          ['first', 'last', 'lines', 'branch', 'what'],
          newShapes
            .slice(0, newShapesMax)
            .map(({firstAt, lastAt, count, source, shape}) => [
              formatInstant(firstAt),
              formatInstant(lastAt),
              formatCount(count),
              nameOf(source),
              escapeMarkdown(sanitiseWord(shapeWords(shape), nameCharsMax)),
            ]),
        ),
    ...(left > 0 ? [`${formatCount(left)} more are left out here.`] : []),
    ...(shares === undefined
      ? []
      : [
          '## What carries it',
          `Shares before it and in it, ${sharesWords(shares)}.`,
          shares.shares.length === 0
            ? 'Nothing has a larger share.'
            : formatRows(
                ['what', 'share'],
                shares.shares.map(share => [escapeMarkdown(shareName(share)), shareWords(share)]),
              ),
        ]),
  ];
};
