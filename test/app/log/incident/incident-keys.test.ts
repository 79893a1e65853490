import {describe, expect, test} from 'vitest';
import {openPrompt} from '#app/keys/prompt.ts';
import {takeCompared} from '#app/log/compare-incident.ts';
import {olderWords, readOlder} from '#app/log/incident/older-lines.ts';
import {watchFinding} from '#app/log/incident/watch-finding.ts';
import type {LogState} from '#app/state/state.ts';
import type {Tail} from '#app/tail/tail.ts';
import type {HeldFrom} from '#log/line/unread.ts';
import {give, linesOf, openEmptyLog, openLogWith, stateRow} from '../../../support/play.ts';

const at = (second: number): bigint => BigInt(Date.UTC(2026, 10, 21, 14, 0, second)) * 1_000_000n;
const play = openLogWith(linesOf(1, 100));
const log: LogState = play.state.log ?? expect.fail();

const withLog = (change: Partial<Tail['log']>, of = log): LogState => {
  const [{tail, ...rest}, ...others] = of.sources;
  return {...of, sources: [{...rest, tail: {...tail, log: {...tail.log, ...change}}}, ...others]};
};
const heldFrom = (why: HeldFrom['why']): HeldFrom => ({at: at(1), why});

describe('older lines', () => {
  const {buffer} = log.sources[0].tail.log;

  test('are read by a key, or there is a reason why not', () => {
    const words = (change: Partial<Tail['log']>): string => olderWords(withLog(change));
    expect(words({heldFrom: heldFrom('unread')})).toMatch(/^\S+ reads older lines$/);
    expect(words({heldFrom: heldFrom('unread'), buffer: {...buffer, evictedLines: 1}})).toBe(
      'older lines do not fit: buffer_mb in [log] makes room',
    );
    expect(words({heldFrom: heldFrom('start'), buffer: {...buffer, evictedLines: 1}})).toMatch(
      /^older lines do not fit:/,
    );
    expect(words({heldFrom: heldFrom('asked')})).toBe('older lines were not asked for: --since reads them');
    expect(words({heldFrom: heldFrom('file')})).toBe('the files of its pods reach no further back');
    expect(words({heldFrom: heldFrom('start')})).toBe('the log begins there');
    expect(words({heldFrom: heldFrom('memory')})).toBe('older lines did not fit into memory');
    expect(words({heldFrom: undefined})).toBe('the service holds nothing older');
  });

  test('of several branches, the reason that a flag helps with comes first', () => {
    const several: LogState = openEmptyLog(['master', 'staging']).state.log ?? expect.fail();
    const [first, second = first] = several.sources;
    const of = (...whys: readonly HeldFrom['why'][]): string =>
      olderWords({
        sources: [first, second].map((source, index) => {
          const {tail} = source;
          return {...source, tail: {...tail, log: {...tail.log, heldFrom: heldFrom(whys[index] ?? 'start')}}};
        }) as never,
      });
    expect(of('start', 'asked')).toContain('--since');
    expect(of('file', 'start')).toContain('the files of its pods');
  });

  test('are read back as far again as is held, and a quarter of an hour at least', () => {
    const back = (of: LogState) => readOlder(play.state, of, 'readOlder');
    const short = back(withLog({heldFrom: heldFrom('unread')}));
    expect(short?.state.log?.readBack?.to).toBe(at(1) - 15n * 60_000_000_000n);
    expect(short?.state.notice).toBe('reading back to 13:45:01');
    const whole = openLogWith(linesOf(1, 1001));
    const of = withLog({heldFrom: heldFrom('unread')}, whole.state.log);
    expect(back(of)?.state.log?.readBack?.to).toBe(at(1) - 1_000_000_000_000n);
    expect(back(log)?.state.notice).toBe('the service holds nothing older');
    expect(back(log)?.state.log?.readBack?.to).toBeUndefined();
    const empty = openEmptyLog();
    const none = readOlder(empty.state, empty.state.log ?? expect.fail(), 'readOlder');
    expect([none?.state.notice, none?.state.columns]).toEqual(['the service holds nothing older', 80]);
    expect(readOlder(play.state, log, 'goFirst')).toBeUndefined();
  });
});

test('keys of the incident say in the log where they are of use', () => {
  const some = openLogWith(linesOf(1, 5));
  give(some, 'compareIncident');
  expect(stateRow(some)).toMatch(/^\S+ lists findings; \S+ there compares them with another branch$/);
  give(some, 'watchFinding');
  expect(stateRow(some)).toMatch(/^\S+ lists findings; \S+ on one watches whether it stopped$/);
  expect(takeCompared(some.state, some.state.log ?? expect.fail(), openPrompt('compared', 'staging'))).toEqual({
    state: some.state,
    effects: [],
  });
});

describe('what is watched', () => {
  test('is no row without a finding', () => {
    const none = watchFinding(play.state, log, undefined);
    expect([none.state.notice, none.state.log, none.state.columns]).toEqual([
      'only ongoing findings can be watched',
      log,
      80,
    ]);
  });
});
