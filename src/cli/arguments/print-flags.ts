import {levelNames, levelOfWord} from '#log/tokens/level-words.ts';
import type {FlagSpec} from './command-spec.ts';

/** Values of `--format` for `logs`. */
export const logFormats = ['text', 'json', 'raw'] as const;

/** Values of `--timestamps` for `logs`. */
export const timestampForms = ['local', 'utc', 'short', 'none'] as const;

/** Which lines are printed. */
export const filterFlags: readonly FlagSpec[] = [
  {name: 'tail', short: 'n', value: 'N', help: 'only the last N lines of the first answer'},
  {name: 'since', value: 'TIME', help: 'only lines newer than this: 15m, 20:20, yesterday, 2026-11-21 14:02 …'},
  {name: 'to', value: 'TIME', help: 'only lines up to this; not with --follow'},
  {
    name: 'grep',
    value: 'REGEX',
    help: 'only lines that match, with their stack traces; if repeated, any of them',
    isRepeatable: true,
  },
  {name: 'before', short: 'B', value: 'N', help: 'also N lines before each match'},
  {name: 'after', short: 'A', value: 'N', help: 'also N lines after each match'},
  {name: 'around', short: 'C', value: 'N', help: 'both: N lines before and after'},
  {name: 'exclude', value: 'REGEX', help: 'hide lines that match; if repeated, any of them', isRepeatable: true},
  {
    name: 'level',
    value: 'LEVEL',
    help: 'only lines of at least this level, with their stack traces',
    choices: levelNames,
    choiceOf: levelOfWord,
  },
];

/** How lines are printed, and when that ends. */
export const printFlags: readonly FlagSpec[] = [
  {name: 'prefix', help: 'in text: begin each line with its source'},
  {
    name: 'format',
    value: 'FORMAT',
    help: 'text: safe for a terminal (the default), json: NDJSON, raw: as received',
    choices: logFormats,
  },
  {name: 'timestamps', value: 'FORM', help: 'in text: local, utc, short or none', choices: timestampForms},
  {name: 'highlight', value: 'REGEX', help: 'in text: highlight matches in colour', isRepeatable: true},
  {name: 'duration', value: 'TIME', help: 'stop following after this time'},
  {
    name: 'until',
    value: 'REGEX',
    help: 'stop at the first matching new line, even if the filters hide it; without --follow or with --since, at any line',
  },
  {name: 'summary', help: 'in json: end with a record of reason and counts'},
  {name: 'fail-on-gap', help: 'exit with code 7 at the first gap; with --duration, at its end'},
];

/** For the commands that print logs. */
export const followFlag: FlagSpec = {name: 'follow', short: 'f', help: 'keep printing new lines as the log grows'};
