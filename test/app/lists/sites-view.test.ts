import {describe, expect, test} from 'vitest';
import {selectSitesView} from '#app/lists/select-sites-view.ts';
import {openSite, updateSites} from '#app/lists/update-sites.ts';
import type {State} from '#app/state/state.ts';
import {sampleState, serviceStartMs, textOf} from '../../support/play.ts';

const contexts = (...names: readonly string[]): State['contexts'] =>
  names.map(name => ({label: {name, host: `${name}.example`}, sites: [], fault: undefined})) as never;
const header = (change: Partial<State>): string => textOf(selectSitesView(sampleState(change)).header).trimEnd();

describe('the header', () => {
  test('names the context and its host, or once what is called alike', () => {
    const named = (name: string, host: string): string => header({context: {name, host}});
    expect(named('production', 'api.example.com')).toMatch(/branchlog {3}production {3}api\.example\.com$/);
    expect(named('api.example.com', 'api.example.com')).toMatch(/branchlog {3}api\.example\.com$/);
    expect(named('localhost', 'localhost:8080')).toMatch(/branchlog {3}localhost:8080$/);
    expect(named('local', 'localhost:8080')).toContain('local   localhost:8080');
  });

  test('has the place among several contexts', () => {
    const context = {name: 'b', host: 'b.example'};
    expect(header({context, contexts: contexts('a', 'b', 'c')})).toMatch(/ context 2 of 3, \S+$/);
    expect(header({context, contexts: contexts('a', 'b')})).toContain('context 2 of 2');
    expect(header({context, contexts: contexts('b')})).not.toContain('context');
  });
});

describe('the list', () => {
  const sites = Array.from({length: 30}, (_, index) => ({
    id: `site-${index}`,
    name: index === 1 ? undefined : `name ${index}`,
    openedAtMs: index === 0 ? serviceStartMs - 3_590_000 : undefined,
  }));
  const picked = (change: Partial<State>) => {
    const {pane} = selectSitesView(sampleState({sites, ...change}));
    return pane.kind === 'pick' ? pane.pick : expect.fail();
  };

  test('has name, id and when it was opened', () => {
    const rows = picked({}).items.map(({row}) => textOf(row).trim());
    expect(rows[0]).toMatch(/^name 0 +site-0 +opened 1 h ago$/);
    expect(rows[1]).toBe('site-1');
    expect(rows[2]).toMatch(/^name 2 +site-2$/);
  });

  test('keeps the selected row in sight, strong', () => {
    const pick = picked({sitePicker: {selectedId: 'site-29', filter: ''}, rows: 14});
    expect(pick.items).toHaveLength(10);
    expect([pick.selectedIndex, pick.isLit, pick.items[9]?.key]).toEqual([9, true, 'site-29']);
    const tones = pick.items.map(({row}) => row.find(({text}) => text.startsWith('name'))?.tone);
    expect([tones[9], tones[8], tones[0]]).toEqual(['strong', 'plain', 'plain']);
    for (const {row} of picked({columns: 20}).items) {
      expect(textOf(row).length).toBeLessThanOrEqual(20 - 2);
    }
  });
});

describe('a site', () => {
  test('is looked over only if that is wanted', () => {
    const state = sampleState();
    const opened = (probeIntervalMs?: number) =>
      openSite({...state, logSettings: {...state.logSettings, probeIntervalMs}}, 'site-1', undefined).state.branches;
    expect(opened()?.probes).toBeUndefined();
    expect(opened(1000)?.probes).toEqual({nextAtMs: 10_000, allAtMs: 10_000, slowDown: 1});
  });

  test('moves and opens nothing where there is none', () => {
    const none = sampleState({sites: []});
    const {state, effects} = updateSites(none, 'open');
    expect([state.screen, state.columns, effects]).toEqual(['sites', 80, []]);
    const down = updateSites(sampleState(), 'moveDown').state;
    expect([down.sitePicker.selectedId, down.columns]).toEqual(['site-2', 80]);
  });
});
