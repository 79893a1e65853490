import {expect, test} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import {answer, openBranch, serviceStartMs, showScreen} from '../../support/play.ts';

const stamp = (ms: number): string => `${new Date(serviceStartMs + ms).toISOString().slice(0, -1)}000000Z`;

/** Lines by their numbers, at a time each. */
const numbered = (first: number, times: readonly number[]) =>
  answer({
    ...{pods: [], sessionId: 's', cut: 'branch' as const, lines: times.map(ms => `${stamp(ms)} text`)},
    heldFrom: {at: instantFromMs(serviceStartMs), why: 'start' as const, arrivalsFrom: instantFromMs(serviceStartMs)},
    numbering: {series: 'a', first, runs: [[0, times.length] as const], sources: [{pod: 'a.log'}], losses: []},
  });

test('lines that were there when a log was opened have no rate and no strip, and the header says what their times are', () => {
  const context = {name: 'app.log', host: '', parts: 'none' as const};
  const play = openBranch({columns: 80, context});
  play.windowArrives(numbered(1, new Array<number>(100).fill(0)));
  const [header, strip] = showScreen(play.state);
  expect(header).toMatch(/ live {3}times of arrival {3}whole since \d\d:\d\d:\d\d$/);
  expect(strip).toBe('');
  play.wait(1_000);
  play.windowArrives(numbered(101, [300, 300, 700]));
  const [later, plotted] = showScreen(play.state);
  expect(later).toMatch(/ live {3}times of arrival .* 3 lines\/min$/);
  expect(plotted).toMatch(/most 3 in 1 s$/);
});
