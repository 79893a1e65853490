import {globSync, readFileSync} from 'node:fs';
import {basename} from 'node:path';

/** A line of a sample. */
export type SampleLine = {
  /** The first letter of its level, `-` if it has none, `|` if it continues the line above it. */
  readonly letter: string;
  readonly text: string;
  /** Its message, if the sample marks it. */
  readonly message: string | undefined;
};

export type FormatSample = {
  readonly name: string;
  readonly path: string;
  readonly lines: readonly SampleLine[];
  /** What lnav 0.11.1 finds of it; undefined if that was not measured. */
  readonly lnav: {readonly errors: number; readonly warnings: number} | undefined;
};

const lnavLine = /^# lnav (\d+) (\d+)\n/;
const marked = /«(.*)»/;

/** Returns a text with its message between `«` and `»`. */
export const markMessage = (text: string, message: string | undefined): string => {
  const index = message === undefined ? -1 : text.lastIndexOf(message);
  return message === undefined || index === -1
    ? text
    : `${text.slice(0, index)}«${message}»${text.slice(index + message.length)}`;
};

const readSample = (path: string): FormatSample => {
  const content = readFileSync(path, 'utf8');
  const [head = '', errors, warnings] = lnavLine.exec(content) ?? [];
  return {
    name: basename(path, '.log'),
    path,
    lines: content
      .slice(head.length)
      .replace(/\n$/, '')
      .split('\n')
      .map(line => ({
        letter: line.slice(0, 1),
        text: line.slice(2).replace(marked, '$1'),
        message: marked.exec(line)?.[1],
      })),
    lnav: errors === undefined ? undefined : {errors: Number(errors), warnings: Number(warnings)},
  };
};

/**
 * Reads the samples of all formats, by name. They stand beside the formats: each line begins with the letter of its
 * level and a blank, its message may stand between `«` and `»`, and the first line may say what lnav finds.
 */
export const readSamples = (): readonly FormatSample[] =>
  globSync('src/log/reading/formats/**/*.log')
    .map(readSample)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
