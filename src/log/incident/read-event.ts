import {findRecordStart} from '../json/find-record.ts';
import {withoutSgr} from '../reading/level.ts';
import {Reading} from '../reading/reading.ts';
import {readRecordParts} from '../reading/record-parts.ts';
import type {Level} from '../reading/tokens/level-words.ts';
import {eventShapeOf} from '../shapes/event-shape.ts';
import {readLineParts} from '../summary/read-parts.ts';

/** What an incident is told by, of one line. */
export type LineEvent = {
  /** What a line says that is no request; undefined for a request that says nothing else. */
  readonly message: string | undefined;
  /** `GET /cart/‹n›`, or the path alone where no method is known. */
  readonly request: string | undefined;
  readonly status: number | undefined;
  readonly durationMs: number | undefined;
};

const duration =
  /(?:duration|elapsed|latency|took|request_?time|response_?time|\brt)(_?ms)?"?(?: in)?[=: ]+"?(\d+(?:\.\d+)?) ?(ms|s|µs|us)?(?=[\s",;)}]|$)/i;
const lastNumber = /[ "](\d+\.\d{3})(?: \.|$)/;
const unitMs: Readonly<Record<string, number>> = {ms: 1, s: 1000, us: 0.001, µs: 0.001};

const readDurationMs = (text: string): number | undefined => {
  const [, isMs, value, unit] = duration.exec(text) ?? [];
  if (value !== undefined) {
    return Number(value) * (unitMs[unit ?? (isMs === undefined && value.includes('.') ? 's' : 'ms')] ?? 1);
  }
  const seconds = lastNumber.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
};

const method = /\bmethod"?[=:] ?"?([A-Z]{3,7})\b/;
const logfmtMessage = /\b(?:msg|message)="((?:[^"\\]|\\.)*)"/;

/** Reads a line's text as received. Takes some microseconds. */
export const readEvent = (text: string, level: Level): LineEvent => {
  const parts = readLineParts(text, level);
  const {shape, status, path} = parts;
  const isRequest = shape.source === 'access' || shape.source === 'reported';
  const asked = isRequest
    ? shape.value.replace(/ \S*$/, '')
    : path && [method.exec(text)?.[1], path.value].filter(Boolean).join(' ');
  return {
    message: isRequest ? undefined : eventShapeOf(parts),
    request: status === undefined ? undefined : asked,
    status: status?.value,
    durationMs: status === undefined ? undefined : readDurationMs(text),
  };
};

/** Returns what a line says without its time, level and the like, as far as its form is known. */
export const saidIn = (text: string): string => {
  const start = text.startsWith('{') ? findRecordStart(text) : -1;
  const {message} = start === -1 ? {} : readRecordParts(text, start);
  return message === undefined
    ? (logfmtMessage.exec(text)?.[1] ?? new Reading(withoutSgr(text)).form?.texts.message ?? text)
    : text.slice(message.start, message.end);
};
