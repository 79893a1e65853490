/** Prints how the source is divided: files, modules, and what crosses their doors. Run by `npx node scripts/house.ts`. */
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {arrowsOf, doorNames, importedBy, moduleOf, readSource, twoWayPairs} from './house-files.ts';

const src = join(import.meta.dirname, '../src');
const files = readSource(src);
const arrows = arrowsOf(files);

/** Names that a reader of a door should be able to take in. */
const namesMax = 40;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const isBlank = (line: string): boolean => line.trim() === '';

const linesIn = (text: string): number => text.trimEnd().split('\n').length;

const codeLinesIn = (code: string): number => code.split('\n').filter(line => !isBlank(line)).length;

const importLinesIn = (code: string): number =>
  [...code.matchAll(/^(?:import\b[^;]*|export\b[^;=]*\bfrom\b[^;]*);/gm)].reduce(
    (sum, [text]) => sum + linesIn(text),
    0,
  );

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, each) => sum + each, 0);

const countArrows = (placeOf: (path: string) => string): number =>
  sumOf([...importedBy(arrows, placeOf).values()].map(({size}) => size));

const namesAcross = (placeOf: (path: string) => string): number =>
  new Set(arrows.filter(({from, to}) => placeOf(from) !== placeOf(to)).map(({to, name}) => `${to}:${name}`)).size;

const lengths = files.map(({path, text, code}) => ({path, lines: linesIn(text), codeLines: codeLinesIn(code)}));
const largest = lengths.reduce((most, each) => (each.lines > most.lines ? each : most));
const importShares = files.map(({code}) => importLinesIn(code) / codeLinesIn(code));
const imported = new Map<string, Set<string>>();
for (const {from, to} of arrows) {
  imported.set(to, (imported.get(to) ?? new Set()).add(dirname(from)));
}
const seenOutside = files.filter(({path}) => [...(imported.get(path) ?? [])].some(folder => folder !== dirname(path)));
const stay = arrows.filter(({from, to}) => dirname(from) === dirname(to)).length;
const doors = [...doorNames(arrows)].map(([module, names]) => ({module, count: names.size}));
const wide = doors.filter(({count}) => count > namesMax).toSorted((a, b) => b.count - a.count);
const pairs = twoWayPairs(arrows);
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const figures: readonly (readonly [string, string | number])[] = [
  ['files', files.length],
  ['lines', sumOf(lengths.map(({lines}) => lines))],
  ['lines of code, without comments and blank lines', sumOf(lengths.map(({codeLines}) => codeLines))],
  ['folders', new Set(files.map(({path}) => dirname(path))).size],
  ['modules', new Set(files.map(({path}) => moduleOf(path))).size],
  ['arrows between folders', countArrows(dirname)],
  ['arrows between modules', countArrows(moduleOf)],
  ['names across folders', namesAcross(dirname)],
  ['names across doors', sumOf(doors.map(({count}) => count))],
  [`doors of more than ${namesMax} names`, wide.length],
  ['two-way pairs of modules', pairs.length],
  ['files imported from outside their folder', percent(seenOutside.length / files.length)],
  ['imports that stay in their folder', percent(stay / arrows.length)],
  ['median file, lines', median(lengths.map(({lines}) => lines))],
  ['median file, lines of code', median(lengths.map(({codeLines}) => codeLines))],
  ['files under 40 lines of code', lengths.filter(({codeLines}) => codeLines < 40).length],
  ['largest file, lines', `${largest.lines} (${largest.path})`],
  ['share of imports in a file, median', percent(median(importShares.map(share => share * 1000)) / 1000)],
  [
    'words of src/README.md',
    readFileSync(join(src, 'README.md'), 'utf8')
      .split(/\s+/)
      .filter(word => word !== '').length,
  ],
];
for (const [name, figure] of figures) {
  console.log(`${name}: ${figure}`);
}
console.log('\ndoors, names:');
for (const {module, count} of doors.toSorted((a, b) => b.count - a.count)) {
  console.log(`  ${module} ${count}`);
}
console.log('\ntwo-way pairs:');
for (const pair of pairs) {
  console.log(`  ${pair}`);
}
