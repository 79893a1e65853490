import {isOfRequest} from '#log/reading/request.ts';
import type {LineParts} from '../traits/read-parts.ts';

/** What replaces the parts of an event that differ although it says the same. No filter is made of it. */
const [path, text] = ['‹path›', '‹text›'];

const access = /^(\S+) .* (\d{3})$/;
// The value of `key="…"` is what a logfmt line says, so it stays.
const quoted = /(=?)"[^"]*"/g;

/** What a logfmt line says, and the fault that it names; other pairs are about this one event. */
const logfmtMessage = /(?:^|\s)(?:msg|message)=(?:"((?:\\.|[^"\\])+)"|([^\s"]+))/;
const logfmtFault = /\s(?:err|error)=(?:"((?:\\.|[^"\\])+)"|([^\s"]+))/;

const pairedText = (found: RegExpExecArray | null): string | undefined => found?.[1] ?? found?.[2];

/** Returns what a logfmt line says; undefined for any other line, and for one that says nothing. */
export const logfmtMessageOf = (text: string): string | undefined => pairedText(logfmtMessage.exec(text));

/** Finds colours in a shape: they are no part of what a line says. */
export const foldedSgr = /\x1b\[[‹n›\d;]*m/g;

/**
 * Returns the shape of an event, coarser than that of a line, so that one fault has one shape: a request of an access
 * log loses its path, since a fault after it shows on many, and other text what it quotes. A record that reports a
 * status has another shape for each, and so has one that names an exception.
 */
export const eventShapeOf = ({shape, status, reading}: Omit<LineParts, 'path' | 'client'>): string => {
  const {source} = shape;
  const value = shape.value.replace(foldedSgr, '');
  if (isOfRequest(source)) {
    return value.replace(access, `$1 ${path} $2`);
  }
  const message = value.startsWith('{') ? undefined : logfmtMessageOf(value);
  if (message !== undefined) {
    return [message, pairedText(logfmtFault.exec(value)), status?.value].filter(each => each !== undefined).join(' ');
  }
  // Without its quoted pieces, a record that has no message would be nothing.
  const words = value.startsWith('{')
    ? value
    : value.replace(quoted, (whole, equals) => (equals === '' ? `"${text}"` : whole));
  // The message of another line has the exception in it.
  const {name = ''} = (reading.record && reading.exception) ?? {};
  const details = [words.includes(name) ? '' : name, status?.value ?? ''].filter(each => each !== '');
  return [words, ...details].join(' ');
};
