import type {Branch} from '#api/client/answer.ts';
import type {BranchesState} from '#app/state/state.ts';
import type {KnownPulse} from '#app/tail/known-pulse.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {type Pulse, pulseMinuteMs, pulseTrendOf} from '#log/overview/pulse.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {field, type RecordField, type RecordGroup} from './record-fields.ts';

/** Returns what is known of the errors in a branch's log, as a part of its record; none if nobody looks at logs. */
export const pulseGroups = ({pulses, looks}: BranchesState, branch: Branch): readonly RecordGroup[] => {
  const known = pulses.get(branch._id);
  return looks === undefined || (known === undefined && !describeStatus(branch.status).isDeployed)
    ? []
    : [{title: 'Errors', fields: fieldsOf(known)}];
};

/** No age beside it: it would be old with the next second. */
const isoTime = (ms: number): string => new Date(ms).toISOString();

const fieldsOf = ({pulse, failure}: Partial<KnownPulse> = {}): readonly RecordField[] => [
  ...field('pulse.failure', 'look failed', failure?.message, {tone: 'busy'}),
  ...(pulse === undefined
    ? field('pulse.errors', 'errors', failure === undefined ? 'not looked at' : undefined, {tone: 'dim'})
    : [
        ...field('pulse.errors', 'errors', rateInWords(pulse), pulse.errors > 0 ? {tone: 'bad'} : {}),
        ...field('pulse.seen', 'seen until', isoTime(pulse.toMs)),
        ...field('pulse.line', 'last line at', pulse.lastLineMs === undefined ? undefined : isoTime(pulse.lastLineMs)),
        ...field('pulse.last', 'last error', pulse.lastError?.text),
        ...field('pulse.lastAt', 'last error at', pulse.lastError && isoTime(pulse.lastError.atMs)),
      ]),
];

const trendWords = {new: ', none in the minutes before', rising: ', rising'} as const;

/** `196 in the last minute, of 412 lines, rising`, `none in the last 10 s, which is all that was seen, of 9 lines` */
const rateInWords = (pulse: Pulse): string => {
  const {errors, spanMs, lines} = pulse;
  if (spanMs === 0) {
    return lines === 0 ? 'no lines' : 'no line has a time that can be read';
  }
  const seconds = Math.max(1, Math.floor(spanMs / 1000));
  const span = spanMs >= pulseMinuteMs ? 'the last minute' : `the last ${seconds} s, which is all that was seen`;
  const trend = pulseTrendOf(pulse);
  return `${errors === 0 ? 'none' : formatCount(errors)} in ${span}, of ${countOf(lines, 'line')}${trend ? trendWords[trend] : ''}`;
};
