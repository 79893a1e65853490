import type {LevelPlace} from './leading-level.ts';

const exceptionHead =
  /^(?:Traceback(?= \(most recent)|(?:Exception in thread|Uncaught|Unhandled)(?= )|(?:[Ff]atal|Parse) error(?=: )|thread '[^']{1,64}' (?:\(\d{1,10}\) )?panicked(?= at )|(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )?(?:http: panic serving|\[Recovery\] .{1,40} panic recovered))/;
const exceptionName = /(?:Error|Exception)$/;

/** Finds `java.lang.IllegalStateException: text` or `TypeError: text` at the start of a line. */
const findNamed = (head: string): LevelPlace | undefined => {
  const end = head.indexOf(': ');
  const name = end === -1 ? '' : head.slice(0, end);
  return !name.includes(' ') && exceptionName.test(name) ? {level: 'error', start: 0, end} : undefined;
};

/**
 * Finds the head of a trace that states no level otherwise: the name of an exception, `Traceback (most recent call
 * last):`, `Exception in thread`, `thread 'main' panicked at`.
 */
export const findException = (head: string): LevelPlace | undefined => {
  const known = exceptionHead.exec(head)?.[0];
  return known === undefined
    ? findNamed(head)
    : {level: /^(?:[Ff]atal|thread)/.test(known) ? 'fatal' : 'error', start: 0, end: known.length};
};

/** Checks whether a line begins with the name of an exception: right below an error it tells of that error. */
export const isNamedException = (text: string): boolean => findNamed(text) !== undefined;
