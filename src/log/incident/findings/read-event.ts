import {withoutSgr} from '#log/reading/level.ts';
import {Reading} from '#log/reading/reading.ts';
import {isOfRequest} from '#log/reading/request.ts';
import type {Level} from '#log/tokens/level-words.ts';
import {requestShapeOf} from '#log/traits/fold-path.ts';
import {readLineParts} from '#log/traits/read-parts.ts';
import {eventShapeOf, logfmtMessageOf} from '#log/traits/shape-table.ts';

/** The facts of one line that an incident is judged by. */
export type LineEvent = {
  /** The message of a line; undefined for a request that says nothing else. */
  readonly message: string | undefined;
  /** `GET /cart/‹n›`, or the path alone where no method is known. */
  readonly request: string | undefined;
  readonly status: number | undefined;
  readonly durationMs: number | undefined;
};

/** Reads a line's text as received. Takes some microseconds. */
export const readEvent = (text: string, level: Level): LineEvent => {
  const parts = readLineParts(text, level);
  const {shape, status, path, reading} = parts;
  const {method, duration, durationMs = bareMsOf(duration?.text)} = reading.said;
  const isRequest = isOfRequest(shape.source);
  const isAsked = status !== undefined && (isRequest || path !== undefined);
  return {
    message: isRequest ? undefined : eventShapeOf(parts),
    request: isAsked ? requestShapeOf(method?.text, path?.value).trimStart() : undefined,
    status: status?.value,
    durationMs: status === undefined ? undefined : durationMs,
  };
};

const fraction = /^\d{1,2}\.\d+$/;

/** Reads a small fraction of which nothing tells the unit as seconds, in which such are written. */
const bareMsOf = (text: string | undefined): number | undefined =>
  text !== undefined && fraction.test(text) ? Math.round(Number(text) * 1e6) / 1e3 : undefined;

/** Returns what a line says without its time, level and the like, as far as its form is known. */
export const saidIn = (received: string): string => {
  const {text, record, form} = new Reading(withoutSgr(received));
  const message = record?.message;
  return message === undefined
    ? (logfmtMessageOf(text) ?? form?.texts.message ?? text)
    : text.slice(message.start, message.end);
};
