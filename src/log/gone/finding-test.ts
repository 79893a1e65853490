import {type LineEntry, textOf} from '#log/line/entry.ts';
import type {SourceName} from '#log/line/source-name.ts';
import {levelOf} from '#log/reading/level.ts';
import {levelRank} from '#log/tokens/level-words.ts';
import {sourceWords} from '#log/words/source-words.ts';
import {longestPieceOf} from '../incident/findings/placed-lines.ts';
import {readEvent} from '../incident/findings/read-event.ts';
import {seriesKeyOf} from '../incident/findings/read-events.ts';
import {type IncidentFinding, isChange} from '../incident/incident-finding.ts';

type LineTest = (line: LineEntry) => boolean;

const ofText =
  (test: (text: string, source: SourceName | undefined) => boolean): LineTest =>
  line =>
    test(textOf(line), line.source);

const errorRank = levelRank('error');

const isError = (text: string): boolean => levelRank(levelOf(text)) >= errorRank;

/** Returns the test for the lines that a finding tells of; undefined for a change, which does not go on. */
export const lineTestOf = (finding: IncidentFinding): LineTest | undefined => {
  const {of, subject, what, before, now} = finding;
  const read = (text: string) => readEvent(text, levelOf(text));
  if (isChange(finding)) {
    return undefined;
  }
  const piece = longestPieceOf(of === 'request' ? subject.slice(subject.indexOf('/')) : subject);
  switch (of) {
    case 'errors':
      return ofText(isError);
    case 'kind':
    case 'message':
      // Reading a line costs some microseconds, which most need not.
      return ofText(
        text =>
          text.includes(piece) &&
          seriesKeyOf(read(text).message ?? '') === subject &&
          (of === 'message' || isError(text)),
      );
    case 'failed':
      return ofText(text => {
        const {request, status} = isError(text) ? read(text) : {};
        return seriesKeyOf(`${request} ${status}`) === subject;
      });
    case 'pod':
      return ofText(
        (text, source) =>
          isError(text) && (source === undefined ? text.includes(subject) : sourceWords(source) === subject),
      );
    case 'status':
      return ofText(text => text.includes(subject) && String(read(text).status) === subject);
    case 'request': {
      // Halfway between what was usual and what is too long, by their ratio.
      const slowMs = what === 'slower' ? Math.sqrt(Number(before) * Number(now)) : 0;
      return ofText(text => {
        const {request, durationMs = 0} = text.includes(piece) ? read(text) : {};
        return request !== undefined && seriesKeyOf(request) === subject && durationMs >= slowMs;
      });
    }
    case 'source':
      return ({source}) => source !== undefined && sourceWords(source) === subject;
    case 'field':
      return undefined;
    default:
      return of satisfies never;
  }
};
