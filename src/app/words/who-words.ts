import {nameCharsMax} from '#app/rows/word-limits.ts';
import type {IncidentFinding, Who} from '#log/incident/incident-finding.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import {percentWords} from '#log/words/format-count.ts';

/** As many as somebody compares at a glance. */
const whoMax = 3;

/** Says whose lines the findings mostly are, the most telling first. Safe to draw. */
export const whoWords = (findings: readonly IncidentFinding[]): readonly string[] => {
  const words = findings.flatMap(({who}) => who.map(oneWho));
  return [...new Set(words)].slice(0, whoMax);
};

const oneWho = ({field, value, share, others}: Who): string => {
  const name = `${sanitiseWord(field, nameCharsMax)} ${sanitiseWord(value, nameCharsMax)}`;
  return `${name}  ${percentWords(share)}, else ${others === 0 ? 'none' : percentWords(others)}`;
};
