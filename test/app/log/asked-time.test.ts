import {describe, expect, test} from 'vitest';
import {askedOf} from '#app/log/update-incident.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {answer, give, linesOf, openLogWith, type Play, showScreen, startAt, type} from '../../support/play.ts';
import {answerIncident} from '../play-incident.ts';

const at = (second: number): bigint => instantFromMs(Date.UTC(2026, 10, 21, 14, 0, second));
const asked = (play: Play) => askedOf(play.state, play.state.log ?? expect.fail('no log'));
/** The service's clock stands at 14:02:10. */
const served = (lastSecond = 129): Play => openLogWith(linesOf(0, lastSecond));
/** The same log, opened by its name. */
const opened = (lastSecond?: number): Play =>
  startAt({...served(lastSecond).state, context: {name: 'app.log', host: '', parts: 'none'}});

describe('the time that an incident is asked of', () => {
  test('is all that is held, up to now', () => {
    expect(asked(served())).toEqual({now: at(130)});
    const play = served(20);
    play.tickAfter(60_000);
    expect(play.state.nowMs).toBe(70_000);
    expect(asked(play)).toEqual({now: at(190)});
  });

  test('is what a range shows, unless filters are off', () => {
    const play = served();
    type(play, 'filterByTime', '14:00:30 to 14:01:00');
    expect(asked(play)).toEqual({from: at(30), to: at(60), now: at(130)});
    give(play, 'toggleFilters');
    expect(asked(play)).toEqual({now: at(130)});
  });

  test('ends with a file that was silent when it was opened, until a line comes; one that is written goes on', () => {
    expect(asked(opened()).now).toBe(at(130));
    expect(asked(opened(100)).now).toBe(at(130));
    const silent = opened(99);
    expect(asked(silent).now).toBeUndefined();
    silent.wait(5000);
    silent.windowArrives(linesOf(0, 135));
    expect(asked(silent).now).toBe(at(135));
  });

  test('ends with a stream that came to its end, and with a recording', () => {
    const stream = opened();
    stream.windowArrives(answer({...linesOf(0, 129).value, pods: []}));
    expect(asked(stream).now).toBeUndefined();
    const played = served();
    const {sources} = played.state.log ?? expect.fail('no log');
    const [{tail, ...rest}] = sources;
    const ended = {...rest, tail: {...tail, connection: {kind: 'ended', lastGoodAtMs: undefined} as const}};
    expect(askedOf(played.state, {...(played.state.log ?? expect.fail()), sources: [ended]}).now).toBeUndefined();
  });
});

test('time alone makes of calm that nobody can tell: who wrote steadily writes no more', () => {
  const windowOf = (from: number, to: number) => answer({...linesOf(from, to).value, cut: 'branch' as const});
  const play = openLogWith(windowOf(-200, 129));
  play.send({kind: 'resized', columns: 80, rows: 24});
  give(play, 'toggleIncident');
  answerIncident(play);
  const title = (): string => showScreen(play.state)[2] ?? '';
  expect(title()).toMatch(/^ CALM for 5 min /);
  for (let seconds = 0; seconds < 60; seconds += 1) {
    play.tickAfter(1000);
    answerIncident(play);
  }
  expect(title()).toMatch(/^ CANNOT TELL: silent since 14:02:09 /);
  const pane = showScreen(play.state).join('\n');
  expect(pane).toContain('P shows whether it still runs; this is judged again with each line');
  expect(pane.toLowerCase()).not.toContain('calm');
  play.windowArrives(windowOf(70, 190));
  play.tickAfter(3000);
  answerIncident(play);
  expect(title()).toMatch(/^ CALM for 6 min /);
});
