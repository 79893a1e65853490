import {expect, test} from 'vitest';
import {keepTogether, type LogEvent} from '#demo/world/traffic/incident-events.ts';

const event = (name: string, ...offsets: number[]): LogEvent => offsets.map(offsetNs => ({offsetNs, text: name}));

const placed = (...events: LogEvent[]) => keepTogether(events).map(({offsetNs, text}) => `${text}${offsetNs}`);

test('events take their order by time, and single lines may share a timestamp', () => {
  expect(placed(event('b', 7), event('a', 3), event('c', 7))).toEqual(['a3', 'b7', 'c7']);
});

test('a line that falls within a trace comes just after it', () => {
  expect(placed(event('t', 10, 12, 12, 15), event('a', 11), event('b', 15), event('c', 16))).toEqual([
    't10',
    't12',
    't12',
    't15',
    'a16',
    'b16',
    'c16',
  ]);
});

test('a trace that begins with another line or within another trace is put off as a whole', () => {
  expect(placed(event('a', 10), event('t', 10, 12), event('u', 11, 14), event('b', 12))).toEqual([
    'a10',
    't11',
    't13',
    'u14',
    'u17',
    'b18',
  ]);
});

test('no events are no lines, and a line keeps when it can be read', () => {
  expect(keepTogether([])).toEqual([]);
  const late = {offsetNs: 5, text: 'a', lateMs: 700};
  expect(keepTogether([[late]])).toEqual([late]);
});
