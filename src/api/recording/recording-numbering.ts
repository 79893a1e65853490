import {decodeNumbering} from '#api/client/decode-numbering.ts';
import {isJsonObject} from '#api/client/field-reader.ts';
import {createFieldProblems} from '#api/decode/field-problems.ts';
import {formatInstant, type Instant} from '#log/line/instant.ts';
import type {Numbering} from '#log/window/window-claims.ts';

/** Returns a numbering as JSON, in the form in which a service sends it. */
export const formatNumbering = ({losses, ...numbering}: Numbering): object => ({
  ...numbering,
  losses: losses.map(({after, before, ...loss}) => ({...loss, ...timeOf('after', after), ...timeOf('before', before)})),
});

const timeOf = (name: string, at: Instant | undefined): object => (at === undefined ? {} : {[name]: formatInstant(at)});

/** Parses what `formatNumbering` wrote for so many lines; returns undefined if anything in it is not valid. */
export const parseNumbering = (json: unknown, lineCount: number): Numbering | undefined => {
  const problems = createFieldProblems();
  const numbering = decodeNumbering(json, lineCount, problems)?.numbering;
  const last = isJsonObject(json) ? json.last : undefined;
  const isWhole = problems.list().length === 0 && (last === undefined || Number.isSafeInteger(last));
  return numbering && isWhole ? {...numbering, ...(typeof last === 'number' && {last})} : undefined;
};
