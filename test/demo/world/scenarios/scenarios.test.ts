import {expect, test} from 'vitest';
import type {ScenarioName} from '#demo/world/scenario-names.ts';
import type {EmittedLine} from '#demo/world/seed/log-source.ts';
import {hostilePayloads} from '#demo/world/sources/hostile-samples.ts';
import {listEmittedLines} from '../../list-emitted-lines.ts';
import {openSample, startMs, textOf} from '../../open-sample.ts';

const emittedOf = async (scenario: ScenarioName, fromMs: number, toMs: number): Promise<readonly EmittedLine[]> => {
  const sample = openSample(scenario);
  const {_id: branchId} = await sample.branchNamed('master');
  const times = {fromMs: startMs + fromMs, toMs: startMs + toMs};
  return listEmittedLines({scenario, seed: 7, startMs, siteId: sample.siteId, branchId, ...times});
};

test('perpod: the quiet pod keeps its thousand lines beside those of the loud one', async () => {
  const {lines, pods} = await openSample('perpod').readWindow();
  const quiet = lines.filter(line => line.includes(' cron: run '));
  expect([lines.length, quiet.length, pods.length]).toEqual([2000, 1000, 2]);
  const emitted = await emittedOf('perpod', 0, 100_000);
  expect(emitted.filter(({line}) => line.includes(' cron: run ')).length).toBe(20);
  expect(Math.abs(emitted.length - 20 - 20_000)).toBeLessThan(400);
});

test('quiet: a line a minute, and six lines of history', async () => {
  expect((await openSample('quiet').readWindow()).lines.length).toBe(6);
  expect((await emittedOf('quiet', 0, 600_000)).length).toBe(10);
});

test('burst: long calm, and in every 20 s a burst of thousands of lines a second that no window holds', async () => {
  const emitted = await emittedOf('burst', 0, 200_000);
  const perSecond = Array.from({length: 200}, () => 0);
  for (const {sinceStartNs} of emitted) {
    const second = Math.floor(sinceStartNs / 1e9);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
  }
  const loud = perSecond.filter(lines => lines >= 1000);
  expect(loud.length).toBeGreaterThanOrEqual(20);
  expect(loud.length).toBeLessThanOrEqual(30);
  expect(Math.min(...loud)).toBeGreaterThanOrEqual(3000);
  expect(Math.max(...loud)).toBeLessThanOrEqual(5010);
  expect(perSecond.filter(lines => lines < 1000 && lines > 12)).toEqual([]);
  expect(perSecond.slice(0, 8).filter(lines => lines > 12)).toEqual([]);
});

test('burst: polls a quarter of a second apart share no line while it bursts', async () => {
  const sample = openSample('burst');
  let [torn, before] = [0, new Set<string>()];
  for (let demoMs = 0; demoMs < 20_000; demoMs += 250) {
    sample.goTo(demoMs);
    const {lines} = await sample.readWindow();
    torn += before.size > 0 && !lines.some(line => before.has(line)) ? 1 : 0;
    before = new Set(lines);
  }
  expect(torn).toBeGreaterThan(0);
});

test('pods: every 15 s a pod comes, and 3 s later the oldest goes', async () => {
  const sample = openSample('pods');
  const namesAt = async (demoMs: number) => {
    sample.goTo(demoMs);
    return (await sample.readWindow()).pods.map(({name}) => name);
  };
  const [first, second, third] = [await namesAt(14_999), await namesAt(15_000), await namesAt(18_000)];
  expect([first.length, second.length, third.length]).toEqual([3, 4, 3]);
  expect(second.slice(0, 3)).toEqual(first);
  expect(third).toEqual(second.slice(1));
  expect(new Set([...first, ...(await namesAt(70_000))]).size).toBe(6);
});

test('late: a good part of the lines come seconds late, hundreds share a timestamp, and there are true copies', async () => {
  const emitted = await emittedOf('late', 0, 120_000);
  const lateBy = emitted.map(({arrivesAtMs, sinceStartNs}) => arrivesAtMs - startMs - sinceStartNs / 1_000_000);
  expect(lateBy.filter(ms => ms >= 1000).length).toBeGreaterThan(300);
  expect(Math.max(...lateBy)).toBeLessThanOrEqual(9001);
  const ties = Map.groupBy(emitted, ({sinceStartNs}) => sinceStartNs);
  const flushes = [...ties.values()].filter(lines => lines.length >= 200);
  expect(flushes.length).toBe(10);
  expect(new Set(flushes[0]?.map(({line}) => line)).size).toBeLessThanOrEqual(7);
});

test('late: a line that comes late takes its place by time, after the equal ones that were there', async () => {
  const sample = openSample('late');
  sample.goTo(60_000);
  const before = (await sample.readWindow()).lines;
  sample.goTo(61_500);
  const after = (await sample.readWindow()).lines;
  const newest = before.at(-1) ?? '';
  const place = after.lastIndexOf(newest);
  expect(after.slice(0, place).filter(line => !before.includes(line)).length).toBeGreaterThan(0);
});

test('late: ties that a reader holds keep their order when more of them come', async () => {
  const sample = openSample('late');
  let grown = 0;
  for (let flushMs = 0; flushMs < 120_000; flushMs += 12_000) {
    const stamp = new Date(startMs + flushMs).toISOString().replace('Z', '000000Z ');
    const tiesAt = async (demoMs: number) => {
      sample.goTo(demoMs);
      return (await sample.readWindow()).lines.filter(line => line.startsWith(stamp));
    };
    const [before, after] = [await tiesAt(flushMs + 500), await tiesAt(flushMs + 9500)];
    expect(after.slice(0, before.length)).toEqual(before);
    grown += after.length > before.length ? 1 : 0;
  }
  expect(grown).toBeGreaterThan(1);
});

test('unicode: wide, joined, combined, right-to-left, Indic, long, tabs and empty', async () => {
  const sample = openSample('unicode');
  const texts = (await sample.readWindow()).lines.map(textOf);
  for (const piece of [
    '注文',
    '서울',
    'ＡＢＣ',
    '\u{1F468}\u200D\u{1F469}',
    '\u{1F1E9}\u{1F1EA}',
    '\u{1F44D}\u{1F3FE}',
    'e\u0301',
    'שלום',
    'تم',
    'हिन्दी',
    'தமிழ்',
    'ไทย',
    '\tcolumns\t',
  ]) {
    expect(texts.filter(text => text.includes(piece)).length).toBeGreaterThan(0);
  }
  expect(texts).toContain('');
  expect(Math.max(...texts.map(text => text.length))).toBe(10_000);
});

test('hostile: a payload of every class stands in each full window, with what comes after it', async () => {
  const text = (await openSample('hostile').readWindow()).lines.join('\n');
  const missing = Object.entries(hostilePayloads).filter(([, payload]) => !text.includes(`${payload} (visible end)`));
  expect(missing).toEqual([]);
});

test.each([
  ['CSI SGR', '\u001B[31;1m'],
  ['CSI cursor', '\u001B[10A'],
  ['CSI clear', '\u001B[2J'],
  ['OSC title', '\u001B]0;owned\u0007'],
  ['OSC 8', '\u001B]8;;https:'],
  ['OSC 52', '\u001B]52;c;'],
  ['OSC 9;7', '\u001B]9;7;'],
  ['DCS', '\u001BPq'],
  ['DECRQSS', '\u001BP$q'],
  ['APC', '\u001B_'],
  ['PM', '\u001B^'],
  ['SOS', '\u001BX'],
  ['C1 CSI', '\u009B31m'],
  ['C1 OSC', '\u009D0;'],
  ['C1 DCS', '\u0090'],
  ['C1 APC', '\u009F'],
  ['C1 PM', '\u009E'],
  ['C1 SOS', '\u0098'],
  ['unterminated OSC', '\u001B]0;never ends (visible end)'],
  ['bell', '\u0007\u0007'],
  ['backspace', '\b\b'],
  ['CR', '\r200 OK'],
  ['NEL', 'above\u0085'],
  ['LS', '\u2028'],
  ['PS', '\u2029'],
  ['bidi override', '\u202E'],
  ['bidi isolate', '\u2066'],
  ['zero width', '\u200B'],
  ['tags', '\u{E0068}'],
  ['lone high surrogate', '\uD83D '],
  ['lone low surrogate', ' \uDE00'],
  ['NUL', '\u0000'],
  ['DEL', '\u007F'],
  ['200 combining marks', '\u0301\u0316'.repeat(100)],
])('hostile: %s is among the lines', async (_class, piece) => {
  const {lines} = await openSample('hostile').readWindow();
  expect(lines.some(line => line.includes(piece))).toBe(true);
});

test('hostile: names of pods and branches, and fields of branches, carry escapes and bidi controls too', async () => {
  const sample = openSample('hostile');
  const {pods} = await sample.readWindow();
  expect(pods.filter(({name}) => /[\u001B\u009B\u202E\u2028]/.test(name)).length).toBe(3);
  const records = await sample.listBranches();
  const branchNames = records.map(({name}) => name);
  expect(branchNames.filter(name => /[\0-\x1F\x7F\u202E]|\u0301/.test(name)).length).toBe(6);
  expect(records.map(({status}) => status).filter(status => status?.includes('\u001B')).length).toBe(1);
  expect(records.filter(record => /\u001B/.test(String(record.originBranch))).length).toBe(1);
  expect(records.filter(record => /\u001B\]52/.test(String(record.hostname))).length).toBe(1);
});

test('errors: each fault comes in turn, with a good stretch before it, the first of 10 s', () => {
  const {backend, goTo} = openSample('errors');
  const stretches: {what: string; seconds: number}[] = [];
  for (let second = 0; second < 214; second++) {
    goTo(second * 1000);
    const fault = backend.nextFault?.();
    const what = fault
      ? fault.kind === 'status'
        ? String(fault.status)
        : fault.kind === 'body'
          ? fault.contentType
          : fault.kind
      : 'good';
    const last = stretches.at(-1);
    if (last?.what === what) {
      last.seconds++;
    } else {
      stretches.push({what, seconds: 1});
    }
  }
  expect(stretches.map(({what, seconds}) => `${what} ${seconds}`)).toEqual([
    'good 10',
    '500 12',
    'good 14',
    '503 12',
    'good 14',
    '429 10',
    'good 14',
    '401 6',
    'good 14',
    'text/html; charset=utf-8 12',
    'good 14',
    'application/json; charset=utf-8 12',
    'good 14',
    'cut 12',
    'good 14',
    'stall 15',
    'good 14',
    '500 1',
  ]);
});

test('errors: 503 and 429 say when to come again, the broken JSON is broken, and the log goes on meanwhile', async () => {
  const sample = openSample('errors');
  sample.goTo(40_000);
  expect(sample.backend.nextFault?.()).toEqual({kind: 'status', status: 503, headers: {'retry-after': '5'}});
  sample.goTo(64_000);
  expect(sample.backend.nextFault?.()).toEqual({kind: 'status', status: 429, headers: {'retry-after': '4'}});
  sample.goTo(135_000);
  const fault = sample.backend.nextFault?.();
  expect(() => JSON.parse(fault?.kind === 'body' ? fault.body : '{}')).toThrow(SyntaxError);
  const during = await emittedOf('errors', 126_000, 138_000);
  expect(during.length).toBeGreaterThan(5);
});

test('no scenario but errors spoils an answer', () => {
  expect(openSample('day').backend.nextFault).toBeUndefined();
});
