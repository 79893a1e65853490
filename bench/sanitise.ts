/**
 * Measures how fast text from outside is sanitised. Run by `npm run bench`. Times on a shared machine vary by a factor
 * of two; look at the ratios to the baselines and between the sizes.
 */

import {levelOf} from '#log/reading/level.ts';
import {sanitise, sanitiseStyled} from '#log/text/sanitise.ts';
import {shownCharsMax} from '#log/text/scan-foreign.ts';
import {cellWidth} from '#log/text/width.ts';
import {printFigure} from './measure.ts';

const linesPerRound = 5000;
const rounds = 12;

const accessLine = (i: number): string =>
  `10.2.0.${i % 256} - - [21/Nov/2026:14:02:11 +0000] "GET /product/${i} HTTP/1.1" 200 ${1000 + i} "https://shop.example/" ` +
  '"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0.1700.77 Safari/537.36"';

// Through a Buffer, like a decoded answer: a concatenated string would be flattened inside the measurement.
const makeLines = (make: (i: number) => string): string[] =>
  Array.from({length: linesPerRound}, (_, i) => Buffer.from(make(i)).toString());

/** Returns the best of several rounds, in 10^9 code units per second. */
const measure = (lines: readonly string[], work: (line: string) => unknown): number => {
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  let best = 0;
  let kept: unknown;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    for (const line of lines) {
      kept = work(line);
    }
    best = Math.max(best, chars / (performance.now() - start) / 1e6);
  }
  return kept === undefined ? 0 : best;
};

const report = (name: string, speed: number, baseline: number): void => {
  console.log(
    `${name.padEnd(44)} ${speed.toFixed(3).padStart(8)} GB/s  ${(speed / baseline).toFixed(3).padStart(7)} × copy`,
  );
};

const ascii = makeLines(accessLine);
const copy = measure(ascii, line => Buffer.from(line, 'latin1').length);
report('baseline: copy to bytes', copy, copy);
report(
  'baseline: indexOf of what is not there',
  measure(ascii, line => line.indexOf('\x1b')),
  copy,
);
report('sanitise, plain ASCII', measure(ascii, sanitise), copy);
report('cellWidth, plain ASCII', measure(ascii, cellWidth), copy);
report('levelOf, access lines', measure(ascii, levelOf), copy);

const coloured = makeLines(i => `\x1b[32mINFO\x1b[0m ${accessLine(i)} \x1b[1mdone\x1b[0m`);
report('sanitise, ASCII with colours', measure(coloured, sanitise), copy);
report('sanitiseStyled, ASCII with colours', measure(coloured, sanitiseStyled), copy);
report(
  'sanitise, Cyrillic and Japanese',
  measure(
    makeLines(i => `Привет ${i} 日本語テキスト `.repeat(10)),
    sanitise,
  ),
  copy,
);

console.log('\nHostile lines, time for 16 KB over time for 4 KB (4 is linear), and ms for 16 KB');
const hostile: Readonly<Record<string, string>> = {
  'unterminated OSC': '\x1b]',
  'unterminated 8-bit OSC': '\x9dx',
  'unterminated CSI': '\x1b[0;0',
  'combining marks': '\u0301',
  'colours without text': '\x1b[1;38;2;1;2;3m',
  tabs: '\t',
  'lone surrogates': '\ud800',
};
const timeMs = (text: string): number => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 60; round += 1) {
    const start = performance.now();
    sanitise(text);
    best = Math.min(best, performance.now() - start);
  }
  return best;
};
let worst = 0;
for (const [name, piece] of Object.entries(hostile)) {
  const text = piece.repeat(shownCharsMax).slice(0, shownCharsMax);
  const short = timeMs(text.slice(0, shownCharsMax / 4));
  const long = timeMs(text);
  worst = Math.max(worst, long / short);
  console.log(`${name.padEnd(44)} ${(long / short).toFixed(2).padStart(8)}  ${long.toFixed(3).padStart(8)} ms`);
}
printFigure({
  what: 'hostile lines of 16 KB beside 4 KB, the worst (4 is linear, 16 square)',
  value: worst,
  unit: '×',
  must: 8,
  aim: 5,
});
