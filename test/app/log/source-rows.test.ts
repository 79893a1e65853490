import {describe, expect, test} from 'vitest';
import {listSources, pickSources} from '#app/log/log-sources-pane.ts';
import {listSourcesPane, readSource} from '#app/log/select-sources.ts';
import type {SourcesPane} from '#app/panes/panes.ts';
import type {LogState} from '#app/state/state.ts';
import {logOf, openEmptyLog, textOf} from '../../support/play.ts';
import {nginx, openSourced, otherPhp, php} from './sourced-log.ts';

const pane: SourcesPane = {kind: 'sources', selectedKey: undefined, top: 0};
const play = openSourced([
  [otherPhp, 'ready'],
  [nginx, 'GET /a'],
  [php, 'ERROR x'],
  [{}, 'of nobody'],
]);
const log = logOf(play);
const hiding = pickSources(log, 'hide', [nginx]);

const shown = (of: LogState, columns: number): readonly string[] => {
  const {title = [], rows} = listSourcesPane({...play.state, columns}, of);
  return [title, ...rows.map(({row}) => row())].map(row => textOf(row).trimEnd());
};

test('sources are in order of their names, those of nobody last', () => {
  expect(listSources(log).map(({name}) => name.container)).toEqual(['nginx', 'php', 'php', undefined]);
});

describe('the list of sources', () => {
  test('has tags only where there is room', () => {
    expect(shown(log, 80)[1]).toMatch(/^● abcde nginx +shop-web-7d9c4-abcde +nginx +stdout +1 line$/);
    expect(shown(log, 60)[1]).toMatch(/^● abcde nginx +\S+ +nginx/);
    expect(shown(log, 59)[1]).toMatch(/^● shop-web-7d9c4-abcde +nginx/);
    expect(shown(log, 80)[4]).toMatch(/^● +not said +1 line$/);
  });

  test('is as wide as the screen at most, with the word for what is hidden; pods give way', () => {
    for (const columns of [50, 55, 60, 65, 70, 80]) {
      const rows = shown(hiding, columns).slice(1);
      expect(rows[0]).toMatch(/^○ .* hidden$/);
      for (const row of rows) {
        expect(row.length + 3).toBeLessThanOrEqual(columns);
      }
    }
    expect(shown(hiding, 50)[1]).toHaveLength(47);
    expect(shown(hiding, 50)[1]).toContain('…');
    expect(shown(hiding, 30)[1]).toMatch(/^○ \S{8} {2}nginx {2}stdout {2}1 line {2}hidden$/);
  });

  test('draws what is hidden dim', () => {
    const tones = (of: LogState, index: number) =>
      listSourcesPane(play.state, of)
        .rows[index]?.row()
        .map(({tone}) => tone);
    expect(tones(hiding, 0)).toEqual(['dim', 'dim', 'dim', 'dim', 'busy', 'dim']);
    expect(tones(hiding, 1)?.slice(2)).toEqual(['plain', 'plain', 'busy', 'dim']);
    expect(tones(hiding, 1)?.[0]).toBe('good');
    expect(shown(hiding, 80)[0]).toMatch(/^ ?4 sources +1 hidden$/);
    expect(shown(log, 80)[0]).not.toContain('hidden');
  });

  test('is read in words', () => {
    expect(readSource(hiding, pane)).toBe('shop-web-7d9c4-abcde, nginx, stdout, 1 line, hidden');
    expect(readSource(log, pane)).toMatch(/, shown$/);
    expect(readSource(logOf(openEmptyLog()), pane)).toBe('There are no sources.');
  });
});
