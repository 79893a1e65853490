import {type IncidentFinding, isChange} from '../incident/incident-finding.ts';
import {longestPieceOf} from '../incident/placed-lines.ts';
import {readEvent} from '../incident/read-event.ts';
import {seriesKeyOf} from '../incident/read-events.ts';
import {type LineEntry, textOf} from '../line/entry.ts';
import {levelOf} from '../reading/level.ts';
import {levelRank} from '../reading/tokens/level-words.ts';
import {sourceWords} from '../sources/source-words.ts';

type LineTest = (line: LineEntry) => boolean;

const errorRank = levelRank('error');

const isError = (text: string): boolean => levelRank(levelOf(text)) >= errorRank;

/** Returns the test for the lines that a finding tells of; undefined for a change, which does not go on. */
export const lineTestOf = (finding: IncidentFinding): LineTest | undefined => {
  const {of, subject, what, before, now} = finding;
  const read = (text: string) => readEvent(text, levelOf(text));
  if (isChange(finding)) {
    return undefined;
  }
  switch (of) {
    case 'errors':
      return line => isError(textOf(line));
    case 'kind':
    case 'message': {
      // Reading a line costs some microseconds, which most need not.
      const piece = longestPieceOf(subject);
      return line => {
        const text = textOf(line);
        return (
          text.includes(piece) &&
          seriesKeyOf(read(text).message ?? '') === subject &&
          (of === 'message' || isError(text))
        );
      };
    }
    case 'failed':
      return line => {
        const text = textOf(line);
        const {request, status} = isError(text) ? read(text) : {};
        return seriesKeyOf(`${request} ${status}`) === subject;
      };
    case 'pod':
      return line => {
        const text = textOf(line);
        return (
          isError(text) && (line.source === undefined ? text.includes(subject) : sourceWords(line.source) === subject)
        );
      };
    case 'status':
      return line => {
        const text = textOf(line);
        return text.includes(subject) && String(read(text).status) === subject;
      };
    case 'request': {
      const piece = longestPieceOf(subject.slice(subject.indexOf('/')));
      // Halfway between what was usual and what is too long, by their ratio.
      const slowMs = what === 'slower' ? Math.sqrt(Number(before) * Number(now)) : 0;
      return line => {
        const text = textOf(line);
        const {request, durationMs = 0} = text.includes(piece) ? read(text) : {};
        return request !== undefined && seriesKeyOf(request) === subject && durationMs >= slowMs;
      };
    }
    case 'source':
      return ({source}) => source !== undefined && sourceWords(source) === subject;
    case 'field':
      return undefined;
    default:
      return of satisfies never;
  }
};
