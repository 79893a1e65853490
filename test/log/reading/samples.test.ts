import {globSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type Follow, followLine, followNothing} from '#log/reading/continuation.ts';
import type {Format} from '#log/reading/form.ts';
import {levelOf} from '#log/reading/level.ts';
import {Reading} from '#log/reading/reading.ts';
import {readRecordParts} from '#log/reading/record-parts.ts';
import {markMessage, readSamples} from '../../../scripts/format-samples.ts';

const messageOf = (text: string): string | undefined => {
  const reading = new Reading(text);
  const place = reading.isRecord ? readRecordParts(text, 0).message : reading.parts.message;
  return place && text.slice(place.start, place.end);
};

test.each(readSamples().map(sample => [sample.name, sample.lines] as const))(
  'every line of %s has its level, and the message that is marked',
  (_, lines) => {
    let follow: Follow = followNothing;
    const found = lines.map(({text, message}) => {
      follow = followLine(follow, text);
      const level = levelOf(text);
      const letter = follow.isContinuation ? '|' : level === 'none' ? '-' : level.slice(0, 1);
      return `${letter} ${markMessage(text, message === undefined ? undefined : messageOf(text))}`;
    });
    expect(found).toEqual(lines.map(({letter, text, message}) => `${letter} ${markMessage(text, message)}`));
  },
);

test('lnav finds no more of a sample than there is', () => {
  for (const {name, lines, lnav} of readSamples()) {
    const count = (letters: string): number => lines.filter(({letter}) => letters.includes(letter)).length;
    expect([name, (lnav?.errors ?? 0) <= count('ef') && (lnav?.warnings ?? 0) <= count('w')]).toEqual([name, true]);
  }
});

/** The formats of text lines, by the paths of their files. */
const formats = await Promise.all(
  globSync('src/log/reading/formats/**/*.ts').map(async path => {
    const exported: unknown[] = Object.values(await import(join(process.cwd(), path)));
    const isFormat = (value: unknown): value is Format =>
      typeof value === 'object' && value !== null && 'forms' in value;
    return {path, forms: exported.filter(isFormat).flatMap(({forms}) => forms)};
  }),
);

/** Returns what a pattern repeats without bound although it repeats something itself: `(?:a+ ?)+`. */
const repeatedRepetitions = (pattern: RegExp): readonly string[] => {
  const source = pattern.source.replaceAll(/\\./g, 'a').replaceAll(/\[[^\]]*\]/g, 'a');
  const isRepeated = (end: number): boolean => /^(?:[*+]|\{\d+,\})/.test(source.slice(end));
  const found: string[] = [];
  const open: {start: number; repeats: boolean}[] = [{start: 0, repeats: false}];
  for (let index = 0; index < source.length; index += 1) {
    if (source[index] === '(') {
      open.push({start: index, repeats: false});
      continue;
    }
    const closed = source[index] === ')' ? open.pop() : undefined;
    if (closed?.repeats && isRepeated(index + 1)) {
      found.push(source.slice(closed.start, index + 2));
    }
    const outer = open.at(-1);
    if (outer !== undefined && (closed?.repeats || isRepeated(index + 1))) {
      outer.repeats = true;
    }
  }
  return found;
};

test('no line can hang the program: no form repeats a repetition without bound', () => {
  const patterns = formats.flatMap(({forms}) => forms.map(({pattern}) => pattern));
  expect(patterns.length).toBeGreaterThan(50);
  expect(repeatedRepetitions(/(?:\w+ ?)+/)).toEqual(['(?:a+ ?)+']);
  expect(patterns.flatMap(repeatedRepetitions)).toEqual([]);
});

test('each form of a format is in the list, and fits a line of a sample', () => {
  const found = new Set(readSamples().flatMap(({lines}) => lines.map(({text}) => new Reading(text).form?.form)));
  const forgotten = formats.flatMap(({path, forms}) =>
    forms.filter(form => !found.has(form)).map(({pattern}) => `${path}: ${pattern.source}`),
  );
  expect(forgotten).toEqual([]);
});
