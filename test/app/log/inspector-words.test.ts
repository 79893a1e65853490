import {describe, expect, test} from 'vitest';
import {ApiError} from '#api/client/api-error.ts';
import {
  fitPollColumns,
  inspectorAt,
  inspectorTop,
  listPolls,
  listProofWords,
  pollColumns,
} from '#app/log/poll-columns.ts';
import {listInspector} from '#app/log/select-inspector.ts';
import type {PollRecord} from '#app/tail/polls.ts';
import {give, logOf, openEmptyLog, type Play, textOf, windowOf} from '../../support/play.ts';

const good: Extract<PollRecord, {kind: 'good'}> = {
  kind: 'good',
  atMs: 0,
  nextPollInMs: 2000,
  reason: 'as wanted',
  status: 200,
  durationMs: 20.6,
  bytes: 12_345,
  lines: 10,
  newLines: 3,
  lateLines: 0,
  overlapShare: 0.999,
  hasGap: false,
};
const failed: PollRecord = {
  kind: 'failed',
  atMs: 0,
  nextPollInMs: 999,
  reason: 'try 2',
  errorKind: 'network',
  status: undefined,
};

const columns = pollColumns({formatMoment: ms => `at ${ms}`, branchNames: ['master', 'staging']});
const cells = (poll: PollRecord, source = 0): Readonly<Record<string, string>> =>
  Object.fromEntries(columns.map(({title, text}) => [title, text({source, poll})]));
const tones = (poll: PollRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(columns.flatMap(({title, tone}) => (tone === undefined ? [] : [[title, tone(poll)]])));

describe('a poll in the table', () => {
  test('has its numbers; a share of lines is rounded down, for 100 % means all', () => {
    expect(cells(good, 1)).toEqual({
      ...{when: 'at 0', branch: 'staging', status: '200', ms: '21', bytes: '12,345', lines: '10', new: '3', late: '0'},
      ...{overlap: '99 %', 'next in': '2.0 s', because: 'as wanted'},
    });
    expect(cells({...good, overlapShare: 1}).overlap).toBe('100 %');
    expect(cells({...good, overlapShare: undefined}).overlap).toBe('–');
    expect(cells(good, 9).branch).toBe('');
  });

  test('that failed has none, and a shorter delay is told more exactly', () => {
    expect(cells(failed)).toMatchObject({
      status: 'network',
      ms: '–',
      overlap: '–',
      'next in': '1.00 s',
      because: 'try 2',
    });
    expect(cells({...good, nextPollInMs: 1000})['next in']).toBe('1.0 s');
    expect(cells({...failed, status: 503}).status).toBe('503');
  });

  test('is red if it failed, and the overlap yellow after a gap, which is told instead of the reason', () => {
    expect(tones(good)).toEqual({status: 'plain', overlap: 'plain', because: 'dim'});
    expect(tones({...good, hasGap: true})).toEqual({status: 'plain', overlap: 'busy', because: 'dim'});
    expect(tones(failed)).toEqual({status: 'bad', overlap: 'plain', because: 'dim'});
    expect(cells({...good, gap: {reason: 'unproven', newLines: 3} as never}).because).not.toBe('as wanted');
  });

  test('loses the columns of the highest rank first, and keeps those of rank 0 on any screen', () => {
    const titles = (width: number): readonly string[] =>
      fitPollColumns(columns, [{source: 0, poll: good}], width).map(({title}) => title);
    expect(titles(1)).toEqual(['when', 'status']);
    expect(titles(21)).toEqual(['when', 'status']);
    expect(titles(27)).toEqual(['when', 'branch', 'status', 'new']);
    expect(titles(1000)).toHaveLength(columns.length);
  });
});

/** The log with its tail changed, as a list pane. */
const paneOf = (play: Play, change: object = {}, rows = 40, width = 100) => {
  const log = logOf(play);
  const [first, ...others] = log.sources;
  const sources = [{...first, tail: {...first.tail, ...change}}, ...others] as const;
  return listInspector({...play.state, rows, columns: width}, {...log, sources});
};
const footOf = (...args: Parameters<typeof paneOf>): readonly string[] =>
  (paneOf(...args).foot ?? []).map(row => textOf(row).trim());

const opened = (...windows: ReturnType<typeof windowOf>[]): Play => {
  const play = openEmptyLog();
  for (const window of windows) {
    play.windowArrives(window);
    play.wait(1000);
  }
  return play;
};

describe('below the table', () => {
  test('only the sums stand where the pane has no more than ten rows', () => {
    const play = opened(windowOf(1, 2));
    expect(footOf(play, {}, 14)).toEqual(['in all   1 poll   0 failed   2 lines received   2 new   0 late   0 gaps']);
    expect(footOf(play, {}, 15)).toHaveLength(5);
  });

  test('failures are red and gaps yellow, once there are any', () => {
    const toneOf = (play: Play, words: RegExp): unknown =>
      paneOf(play)
        .foot?.flat()
        .find(({text}) => words.test(text))?.tone;
    const play = opened(windowOf(1, 2));
    expect([toneOf(play, /failed/), toneOf(play, /gaps?$/)]).toEqual(['plain', 'plain']);
    play.windowFails();
    play.windowArrives(windowOf(50, 51));
    expect([toneOf(play, /failed/), toneOf(play, /gaps?$/)]).toEqual(['bad', 'busy']);
  });

  test('a listing that failed is cut to the row', () => {
    const play = opened(windowOf(1, 2));
    play.send({kind: 'refreshDue', generation: play.state.generation});
    play.branchesFail(new ApiError('network', 'x'.repeat(90)));
    const [, , listing = ''] = footOf(play, {}, 40, 60);
    expect(listing).toMatch(/^1,000 bytes received {3}listing: x+…$/);
    expect(listing.length).toBe(58 - 1);
  });

  const pace = (play: Play, fillMs: number | undefined, nextPollInMs: number): string | undefined =>
    footOf(play, {
      pace: {
        ...logOf(play).sources[0].tail.pace,
        capacityLines: fillMs === undefined ? 1 : fillMs / 1000,
        highestRate: fillMs === undefined ? 0 : 1,
      },
      polls: {...logOf(play).sources[0].tail.polls, latest: [{...good, nextPollInMs}, failed]},
    })[3];

  test.each([
    [undefined, 1000, 'window 2 lines, nothing new since the first'],
    [9949, 1000, 'window 2 lines ≈ 9.9 s, 9 polls a window'],
    [10_000, 10_000, 'window 2 lines ≈ 10 s, 1 poll a window'],
    [10_000, 10_001, 'window 2 lines ≈ 10 s, less than a poll a window'],
    [599_000, 1000, 'window 2 lines ≈ 599 s, 599 polls a window'],
    [600_000, 1000, 'window 2 lines ≈ 10 min, 600 polls a window'],
    [35_940_000, 1000, 'window 2 lines ≈ 599 min, 35,940 polls a window'],
    [36_000_000, 1000, 'window 2 lines ≈ 10 h, 36,000 polls a window'],
  ])('a window that fills in %s ms is polled each %i', (fillMs, nextPollInMs, words) => {
    expect(pace(opened(windowOf(1, 2)), fillMs, nextPollInMs)).toBe(words);
  });

  test('of lines with numbers it is what the service holds that fills, not an answer', () => {
    const {lines} = windowOf(1, 2).value;
    const numbering = {series: 'a', first: 1, runs: [[0, 2] as const], sources: [{pod: 'web-0'}], losses: []};
    const window = windowOf(1, 2);
    const play = opened({...window, value: {...window.value, lines, numbering}});
    expect(pace(play, 36_000_000, 1858)).toBe('service holds 36,000 lines ≈ 10 h, 19,375 polls');
    expect(pace(play, undefined, 1000)).toBe('window 2 lines, nothing new since the first');
  });

  test('before any window there is no pace, and nothing that the log rests on', () => {
    const play = openEmptyLog();
    play.windowFails();
    expect(footOf(play).slice(3)).toEqual(['no window yet', '']);
    expect(listProofWords(play.state, logOf(play))).toEqual([]);
  });
});

test('what several branches rest on is told once if it is the same, else for each', () => {
  const play = openEmptyLog(['master', 'staging']);
  play.windowArrives(windowOf(1, 2), 'b-master');
  play.windowArrives(windowOf(1, 2), 'b-staging');
  const same = listProofWords(play.state, logOf(play));
  expect(same).toHaveLength(1);
  expect(same[0]).toMatch(/^joined: the service cuts the branch as one/);
  const {sources} = logOf(play);
  const changed = sources.map(source => ({
    ...source,
    tail: {...source.tail, log: {...source.tail.log, proof: source.branch.name === 'master' ? 'counted' : 'said'}},
  }));
  expect(listProofWords(play.state, {sources: changed as never}).map(words => words.split(':')[0])).toEqual([
    'master is whole',
    'staging is joined',
  ]);
});

test('polls stand by time whatever their branch, and the one that is read stays on top', () => {
  const play = openEmptyLog(['master', 'staging']);
  for (const name of ['b-staging', 'b-master', 'b-staging']) {
    play.windowArrives(windowOf(1, 2), name);
    play.wait(1000);
  }
  const polls = listPolls(logOf(play));
  const at = play.state.nowMs;
  expect(polls.map(({source, poll}) => [source, poll.atMs - at])).toEqual([
    [1, 0],
    [0, -1000],
    [1, -2000],
  ]);
  expect(inspectorAt(polls, 0)).toEqual({kind: 'inspector', topAtMs: undefined});
  expect(inspectorAt(polls, 1)).toEqual({kind: 'inspector', topAtMs: at - 1000});
  const topOf = (topAtMs: number | undefined): number => inspectorTop({kind: 'inspector', topAtMs}, polls);
  expect([topOf(undefined), topOf(at), topOf(at - 1), topOf(at - 2000), topOf(at - 9000)]).toEqual([0, 0, 1, 2, 3]);
  give(play, 'toggleInspector');
  expect(play.state.log?.overlay?.kind).toBe('inspector');
});
