import {afterEach, beforeEach, expect, test} from 'vitest';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {levelOfRank} from '#log/tokens/level-words.ts';
import {continuationsOf, levelsOf} from '#log/traits/line-traits.ts';
import {runCommand} from '../cli/run-command.ts';
import {readCases} from './read-cases.ts';

let zoneBefore: string | undefined;

beforeEach(() => {
  zoneBefore = process.env.TZ;
});
afterEach(() => {
  process.env.TZ = zoneBefore;
});

type PrintedLine = {readonly kind: string; readonly timestamp: string; readonly text: string; readonly arrival?: true};

/** Opens a file with the program, and reads its lines as the screens do. */
const readFile = async (path: string) => {
  const {stdout} = await runCommand(['open', path, '--format', 'json'], {env: {TZ: process.env.TZ}});
  const printed = stdout
    .trimEnd()
    .split('\n')
    .map((row): PrintedLine => JSON.parse(row))
    .filter(({kind}) => kind === 'line');
  const lines = printed.map(({timestamp, text}) => `${timestamp} ${text}`);
  const {buffer} = takeWindow(createBranchLog(1e9), {lines, pods: [], cut: 'branch'}).log;
  const ranks = buffer.chunks.flatMap(chunk => [...levelsOf(chunk)]);
  const continuations = buffer.chunks.flatMap(chunk => [...continuationsOf(chunk)]);
  return printed.map(({timestamp, arrival}, index) => ({
    level: levelOfRank(ranks[index] ?? 0),
    time: arrival === true ? '-' : timestamp.slice(0, -1),
    isContinuation: continuations[index] === 1,
  }));
};

/** To the microsecond. */
const isClose = (a = '', b = ''): boolean => a.slice(0, -3) === b.slice(0, -3);

test.each(
  readCases()
    .filter(({name}) => name !== 'reports/utf16le')
    .map(each => [each.name, each] as const),
)('%s is read as what it says', async (_, one) => {
  process.env.TZ = one.zone;
  const found = await readFile(one.path);
  // Where a row leaves something open, what was found is right.
  const wanted = one.expected.map(({level, time, isContinuation}, index) => {
    const got = found[index];
    const isOpen = isContinuation || level === '*' || level.split('|').includes(got?.level ?? '');
    // A line that says no time has that of its arrival, or goes with the line above or below it.
    const isBeside = time === '-' && [index - 1, index + 1].some(at => isClose(found[at]?.time, got?.time));
    const isTime = isContinuation || time === '~' || isBeside || got?.time.startsWith(time);
    return {level: isOpen ? got?.level : level, time: isTime ? got?.time : time, isContinuation};
  });
  expect(found).toEqual(wanted);
});

test('text in UTF-16 is refused with what makes it readable', async () => {
  const {code, stderr} = await runCommand(['open', 'test/cases/reports/utf16le.log', '--format', 'json']);
  expect(code).toBe(2);
  expect(stderr).toContain('iconv -f UTF-16 -t UTF-8');
});
