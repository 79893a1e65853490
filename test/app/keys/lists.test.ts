import {describe, expect, test} from 'vitest';
import type {Branch} from '../../../src/api/decode/branch.ts';
import {decodeBranches} from '../../../src/api/decode/decode-branches.ts';
import type {Command} from '../../../src/app/keys/keymap.ts';
import {revealMs} from '../../../src/app/record/open-record.ts';
import type {ViewRow} from '../../../src/app/rows/view-row.ts';
import {selectView} from '../../../src/app/select-view.ts';
import type {State} from '../../../src/app/state/state.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {type Play, sampleBranches, sampleState, startAt, windowOf} from '../sample-state.ts';
import {showScreen} from '../show-screen.ts';

const give = (play: Play, ...commands: readonly Command[]): void => {
  for (const command of commands) {
    play.send({kind: 'commandGiven', command});
  }
};

const type = (play: Play, text: string): void => {
  give(play, 'openFilter');
  play.send({kind: 'textTyped', text});
};

const onBranches = (branches: readonly Branch[] = sampleBranches, change: Partial<State> = {}): Play => {
  const play = startAt(sampleState(change));
  give(play, 'open');
  play.branchesArrive(branches);
  return play;
};

const decode = (...records: readonly object[]): readonly Branch[] => decodeBranches(records).value;

const secretWords = ['secret-admin-b1', 'secret-db-b1', 'secret-editor-b1', 'secret-lock-b1', 'secret-key-b1'];
const built = (): readonly Branch[] =>
  decode(
    makeBuiltBranch('b1', 'master', {
      apiToken: 'secret-other-b1',
      tlsPrivateKey: 'secret-tls-b1',
      note: '-----BEGIN PRIVATE KEY-----secret-pem-b1',
      'bad\u001b[31m\nname': 1,
      quota: {cpu: 2},
      updatedAt: '2026-11-21T12:02:10.000Z',
    }),
  );

const rowsOf = (play: Play): readonly ViewRow[] => {
  const view = selectView(play.state);
  if ('tooSmall' in view) {
    return [];
  }
  const {pane} = view;
  return pane.kind === 'rows' ? pane.rows : [...pane.pick.items.map(({row}) => row), ...pane.beside, ...pane.below];
};

const textOf = (row: ViewRow): string => row.map(({text}) => text).join('');
const drawn = (play: Play): string => rowsOf(play).map(textOf).join('\n');
const names = (play: Play): readonly string[] =>
  rowsOf(play).map(row => (textOf(row).slice(3).split(/ {3}/)[0] ?? '').trim());
const header = (play: Play): string => showScreen(play.state)[0] ?? '';
const stateRow = (play: Play): string => showScreen(play.state).at(-2) ?? '';

describe('the branches are listed', () => {
  const records = decode(
    {_id: '1', name: 'release-10', status: 'DEPLOY_APPLICATION_SUCCESS', updatedAt: '2026-11-01T00:00:00.000Z'},
    {_id: '2', name: 'sketch', status: null, createdAt: '2026-11-20T00:00:00.000Z'},
    {_id: '3', name: 'release-9', status: 'DEPLOY_APPLICATION_FAILED', updatedAt: 'no time'},
    {_id: '4', name: 'master', status: 'DEPLOY_APPLICATION_SUCCESS', updatedAt: '2026-11-21T00:00:00.000Z'},
    {_id: '5', name: 'cart', status: 'BUILD_ERROR', updatedAt: '2026-11-19T00:00:00.000Z'},
  );

  test('by status, by name, by last change, and by status again, as the header says', () => {
    const play = onBranches(records, {columns: 99});
    expect(names(play)).toEqual(['release-10', 'master', 'release-9', 'cart', 'sketch']);
    expect(header(play)).toContain('by status');
    give(play, 'nextOrder');
    expect(names(play)).toEqual(['cart', 'master', 'release-9', 'release-10', 'sketch']);
    expect(header(play)).toContain('by name');
    give(play, 'nextOrder');
    expect(names(play)).toEqual(['master', 'sketch', 'cart', 'release-10', 'release-9']);
    expect(header(play)).toContain('by last change');
    give(play, 'nextOrder');
    expect(header(play)).toContain('by status');
  });

  test('the highlight stays on its branch when they are ordered anew', () => {
    const play = onBranches(records);
    give(play, 'moveDown', 'nextOrder');
    expect(play.state.branches?.picker.selectedId).toBe('4');
    expect(drawn(play)).toContain('master');
  });

  test('only those that failed, or only those that are deployed, never both', () => {
    const play = onBranches(records);
    give(play, 'toggleFaults');
    expect(names(play)).toEqual(['release-9', 'cart']);
    expect(header(play)).toContain('2 of 5 branches, failed only');
    give(play, 'toggleDeployed');
    expect(names(play)).toEqual(['release-10', 'master']);
    expect(header(play)).toContain('2 of 5 branches, deployed only');
    give(play, 'toggleDeployed');
    expect(names(play)).toHaveLength(5);
  });

  test('where nothing failed it says so, and which key shows them all', () => {
    const play = onBranches(records.filter(({status}) => status === null));
    give(play, 'toggleFaults');
    expect(showScreen(play.state).join('\n')).toMatch(/None of the 1 branch has failed\.\n.*Press x to see/);
  });

  test('by what was typed, the best fit first, with its letters told from the others', () => {
    const play = onBranches(records, {columns: 99});
    type(play, 'r9');
    expect(names(play)).toEqual(['release-9']);
    const hits = rowsOf(play)[0]?.filter(({tone}) => tone === 'hit');
    expect(hits?.map(({text}) => text)).toEqual(['r', '9']);
    play.send({kind: 'inputKey', key: 'ClearLine'});
    play.send({kind: 'textTyped', text: 're'});
    // A letter that begins a word counts more, and a name more than a status or an id.
    expect(names(play).slice(0, 2)).toEqual(['release-10', 'release-9']);
    expect(header(play)).toContain('best fit first');
  });

  test('a filter puts the highlight on what fits best, and Esc puts it back', () => {
    const play = onBranches(records);
    give(play, 'moveDown', 'moveDown');
    type(play, 'a');
    expect(names(play)).toEqual(['master', 'cart', 'release-10', 'release-9']);
    expect(showScreen(play.state)[2]).toMatch(/▸ ● master/);
    play.send({kind: 'inputKey', key: 'Esc'});
    expect(play.state.branches?.picker).toEqual({selectedId: '3', filter: ''});
  });

  test('letters that are strewn over an id fit nothing; an id and a status that hold them do', () => {
    const play = onBranches(decode({_id: '5f3c0a12e', name: 'master', status: 'WAITING_FOR_QUOTA'}));
    for (const [filter, count] of [
      ['5a1', 0],
      ['c0a', 1],
      ['quota', 1],
    ] as const) {
      type(play, filter);
      expect(play.state.branches && names(play).filter(name => name === 'master')).toHaveLength(count);
      play.send({kind: 'inputKey', key: 'Esc'});
    }
  });

  test('a name that is cut keeps its cut mark, which is no letter that was typed', () => {
    const named = (name: string): Play => {
      const play = onBranches(decode({_id: '1', name, status: 'WAITING_FOR_A_LONG_TIME_NOW'}), {columns: 40});
      type(play, 'q');
      return play;
    };
    const at = textOf(rowsOf(named(`q${'x'.repeat(50)}`))[0] ?? []).indexOf('…') - 3;
    expect(at).toBeGreaterThan(5);
    for (const [before, hits] of [
      [at - 1, ['q']],
      [at, []],
    ] as const) {
      const row = rowsOf(named(`${'x'.repeat(before)}q${'x'.repeat(50)}`))[0] ?? [];
      expect(row.filter(({tone}) => tone === 'hit').map(({text}) => text)).toEqual(hits);
      expect(textOf(row).indexOf('…')).toBe(at + 3);
    }
  });
});

describe('what changed since the user looked', () => {
  const changed = (changes: Partial<Branch>) =>
    sampleBranches.map(branch => (branch._id === 'b-staging' ? {...branch, ...changes} : branch));

  test('is told by a sign and words until the highlight was there', () => {
    const play = onBranches();
    expect(drawn(play)).not.toContain('+');
    play.branchesArrive(changed({status: 'DEPLOY_APPLICATION_SUCCESS'}));
    expect(drawn(play)).toMatch(/\+● staging +deployed +new status/);
    // Another listing that says the same takes nothing back.
    play.branchesArrive(changed({status: 'DEPLOY_APPLICATION_SUCCESS'}));
    give(play, 'moveDown');
    expect(drawn(play)).toContain('new status');
    give(play, 'moveDown');
    expect(drawn(play)).not.toContain('new status');
  });

  test('a branch that came is new, and one that changed otherwise says so', () => {
    const play = onBranches(sampleBranches.slice(0, 4));
    play.branchesArrive(sampleBranches);
    expect(drawn(play)).toMatch(/\+\? experiment .* new branch/);
    play.branchesArrive(sampleBranches.map(branch => ({...branch, updatedAt: '2026-11-21T14:02:00.000Z'})));
    expect(drawn(play)).toMatch(/\+\? experiment .* new branch/);
    expect(drawn(play)).toMatch(/\+● master .* new change/);
  });

  test('an older record, from a replica that lags, is no news', () => {
    const play = onBranches();
    play.branchesArrive(changed({status: 'BUILD_RUNNING', updatedAt: '2026-11-20T00:00:00.000Z'}));
    expect(play.state.branches?.news.size).toBe(0);
  });

  test('what its log told is no news in the list, and opening the log ends what was', () => {
    const play = onBranches();
    play.branchesArrive(changed({status: 'BUILD_RUNNING'}));
    give(play, 'moveDown', 'open');
    expect(play.state.branches?.news.size).toBe(0);
    play.windowArrives(windowOf(1));
    play.branchesArrive(changed({status: 'DEPLOY_APPLICATION_SUCCESS'}));
    expect(play.state.branches?.news.size).toBe(0);
  });
});

describe('the record', () => {
  test('stands beside the list, below it, or in its place', () => {
    const wide = onBranches(built(), {columns: 120, rows: 80});
    expect(drawn(wide)).toMatch(/● master[\s\S]*Branch +\n/);
    const tall = onBranches(built(), {columns: 80, rows: 50});
    expect(drawn(tall)).not.toContain('Hostnames');
    give(tall, 'toggleDetails');
    expect(drawn(tall)).toMatch(/● master[\s\S]*Last activity/);
    expect(tall.state.branches?.details).toBeUndefined();
    const small = onBranches(built(), {columns: 80, rows: 24});
    give(small, 'toggleDetails');
    expect(drawn(small)).toMatch(/^ Branch/);
    expect(small.state.branches?.details).toBeDefined();
    give(small, 'back');
    expect(drawn(small)).toMatch(/● master/);
    expect(small.state.screen).toBe('branches');
  });

  test('has every field of the interface, secrets as masks, and what the interface does not name', () => {
    const play = onBranches(built(), {columns: 140, rows: 120});
    const text = drawn(play);
    for (const wanted of [
      /id +b1/,
      /type +MASTER/,
      /from +main/,
      /site +site-1/,
      /created .*2025-01-02T03:04:05.678Z/,
      /changed +2 h ago, 2026-11-21T12:02:10.000Z/,
      /status +deployed {3}DEPLOY_APPLICATION_SUCCESS/,
      /pods +2/,
      /environment +env-1/,
      /namespace +ns-b1/,
      /application +app-master/,
      /deployed by +user-7/,
      /action +UPDATE_CONFIG_APPLICATION/,
      /outcome +SUCCESS/,
      /response +\{"id":"response-1"/,
      /branch +master.example.com/,
      /custom +www.master.example.com/,
      /private key +\*{8}/,
      /editor +master-editor.example.com/,
      /database +master-pma.example.com/,
      /balancer +elb.example.com/,
      /secure +yes/,
      /type +shop/,
      /web server +nginx:1.27/,
      /app server +php:8.3/,
      /storage +10Gi/,
      /web server env +NGINX_SERVER_ROOT=\/srv/,
      /app server env +APP_ROOT=\/srv\/app/,
      /polymorphing +no/,
      /polyscripting +no/,
      /made from +app-origin/,
      /locked +no/,
      /lock user +locker/,
      /lock password +\*{8}/,
      /admin +admin/,
      /admin password +\*{8}/,
      /editor +no/,
      /editor password +\*{8}/,
      /database tool +no/,
      /database +db-b1/,
      /database user +user-b1/,
      /db password +\*{8}/,
      /apiToken +\*{8}/,
      /quota +\{"cpu":2\}/,
    ]) {
      expect(text).toMatch(wanted);
    }
    expect(text).not.toMatch(/secret-/);
    // The names of such fields are foreign text as well.
    expect(text).toMatch(/bad.*name +1/);
    expect(text).not.toContain('\u001b');
  });

  test('hosts are links, and what is no host is none', () => {
    const links = (hostname: string): readonly (string | undefined)[] =>
      rowsOf(
        onBranches(decode(makeBuiltBranch('b1', 'master', {hostname, customDomains: []})), {columns: 140, rows: 120}),
      )
        .flat()
        .flatMap(({link}) => (link === undefined ? [] : [link]));
    expect(links('shop.example.com')).toEqual([
      'https://shop.example.com/',
      'https://master-editor.example.com/',
      'https://master-pma.example.com/',
    ]);
    for (const spoilt of [
      'a.example.com/../x',
      'evil.com\u001b\\x',
      'user@evil.com',
      'a b.com',
      'localhost',
      `${'a'.repeat(260)}.com`,
    ]) {
      expect(links(spoilt)).toHaveLength(2);
    }
  });

  test('no row is wider than the screen, and none too many, at any size', () => {
    for (const commands of [
      ['enterDetails'],
      ['enterDetails', 'goLast', 'open'],
      ['toggleDetails'],
      ['nextOrder', 'toggleFaults'],
    ] as const) {
      for (const columns of [20, 40, 80, 99, 100, 101, 140]) {
        for (const rows of [5, 6, 8, 10, 24, 33, 34, 35, 60, 120]) {
          const play = onBranches(built(), {columns, rows});
          play.branchesArrive(
            decode(makeBuiltBranch('b1', 'master', {status: 'BUILD_FAILED', updatedAt: '2026-11-21T13:00:00.000Z'})),
          );
          give(play, ...commands);
          const view = selectView(play.state);
          const pane = 'tooSmall' in view ? expect.fail('too small') : view.pane;
          const widths = showScreen(play.state).map(row => [...row].length);
          expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
          const count =
            pane.kind === 'rows'
              ? pane.rows.length
              : Math.max(pane.pick.items.length + pane.below.length, pane.beside.length);
          expect(count, `${columns}×${rows}`).toBeLessThanOrEqual(rows - 4);
        }
      }
    }
  });

  test('scrolls with the highlight where it does not fit', () => {
    const play = onBranches(built(), {columns: 80, rows: 14});
    give(play, 'enterDetails');
    expect(showScreen(play.state)[3]).toMatch(/▸ name +master/);
    expect(showScreen(play.state).at(-3)).toMatch(/… 0 above, \d+ below/);
    give(play, 'goLast');
    expect(showScreen(play.state).at(-4)).toMatch(/▸ quota/);
    expect(showScreen(play.state).at(-3)).toMatch(/… \d+ above, 0 below/);
    give(play, 'pageUp', 'moveUp');
    expect(drawn(play)).toContain('▸ ');
  });
});

describe('secrets', () => {
  /** In the record, at a field. */
  const at = (label: string, change: Partial<State> = {}): Play => {
    const play = onBranches(built(), {columns: 140, rows: 120, ...change});
    give(play, 'enterDetails');
    for (let steps = 0; !drawn(play).includes(`▸ ${label}`); steps += 1) {
      expect(steps).toBeLessThan(100);
      give(play, 'moveDown');
    }
    return play;
  };
  const seen = (play: Play): readonly string[] =>
    [...secretWords, 'secret-other-b1', 'secret-tls-b1', 'secret-pem-b1'].filter(word => drawn(play).includes(word));

  test('one is revealed at a time, and its text is in none of the state', () => {
    const play = at('admin password');
    expect(seen(play)).toEqual([]);
    give(play, 'revealSecret');
    expect(seen(play)).toEqual(['secret-admin-b1']);
    expect(play.effects).toEqual([{kind: 'hideSecretAfter', delayMs: revealMs}]);
    expect(JSON.stringify(play.state)).not.toContain('secret-');
    give(play, 'moveDown', 'moveDown', 'open');
    expect(seen(play)).toEqual(['secret-editor-b1']);
    give(play, 'open');
    expect(seen(play)).toEqual([]);
  });

  test.each([
    ['its time', (play: Play) => play.send({kind: 'secretDue'})],
    [
      'its time, where the timer came late',
      (play: Play) => {
        play.wait(revealMs);
        play.branchesArrive(built());
      },
    ],
    ['a suspension', (play: Play) => give(play, 'suspend')],
    ['moving on', (play: Play) => give(play, 'moveDown', 'moveUp')],
    ['going back to the list', (play: Play) => give(play, 'back', 'enterDetails')],
    ['the help', (play: Play) => give(play, 'toggleHelp', 'toggleHelp')],
    ['the palette', (play: Play) => give(play, 'openPalette')],
    ['another screen', (play: Play) => give(play, 'back', 'back')],
    ['the log', (play: Play) => give(play, 'back', 'open', 'back')],
    [
      'another branch in its place',
      (play: Play) => play.branchesArrive(decode(makeBuiltBranch('b2', 'other', {dbPassword: 'secret-db-b1'}))),
    ],
    ['a terminal too narrow for the record', (play: Play) => play.send({kind: 'resized', columns: 80, rows: 50})],
  ])('hidden again by %s', (_what, hide) => {
    const play = at('db password');
    give(play, 'open');
    expect(seen(play)).toEqual(['secret-db-b1']);
    hide(play);
    expect(seen(play)).toEqual([]);
    expect(play.state.branches?.revealed).toBeUndefined();
  });

  test('a refresh of the list hides nothing', () => {
    const play = at('db password');
    give(play, 'open');
    play.branchesArrive(built());
    expect(seen(play)).toEqual(['secret-db-b1']);
  });

  test('another value in the field that is revealed is hidden', () => {
    const play = at('db password');
    give(play, 'open');
    play.branchesArrive(decode(makeBuiltBranch('b1', 'master', {dbPassword: 'secret-lock-b1'})));
    expect(seen(play)).toEqual([]);
    expect(play.state.branches?.revealed).toBeUndefined();
  });

  test('a variable that comes ahead of the one that is revealed is hidden, and the highlight stays where it was', () => {
    const withEnv = (...env: readonly object[]): readonly Branch[] =>
      decode(makeBuiltBranch('b1', 'master', {deploymentConfig: {images: {php: {env}}}}));
    const mail = {name: 'MAIL_PASSWORD', value: 'secret-admin-b1'};
    const play = onBranches(withEnv(mail, {...mail, value: 'secret-db-b1'}), {columns: 140, rows: 120});
    give(play, 'enterDetails');
    for (let steps = 0; !/▸ app server env +MAIL_/.test(drawn(play)); steps += 1) {
      expect(steps).toBeLessThan(100);
      give(play, 'moveDown');
    }
    give(play, 'open');
    expect(seen(play)).toEqual(['secret-admin-b1']);
    play.branchesArrive(withEnv({name: 'API_TOKEN', value: 'secret-key-b1'}, mail));
    expect(seen(play)).toEqual(['secret-admin-b1']);
    expect(drawn(play)).toMatch(/▸ +MAIL_PASSWORD=/);
  });

  test.each(['  private key', 'tlsPrivateKey', 'note'])('a private key is never shown and never copied: %s', label => {
    const play = at(label);
    give(play, 'open');
    expect(stateRow(play)).toContain('private keys are never shown');
    expect(seen(play)).toEqual([]);
    give(play, 'copyField');
    expect(play.effects).toEqual([]);
    expect(stateRow(play)).toContain('shown or copied');
  });

  test('is copied only while it can be read', () => {
    const play = at('db password');
    give(play, 'copyField');
    expect(play.effects).toEqual([]);
    expect(stateRow(play)).toContain('reveal the secret before copying it');
    give(play, 'open', 'copyField');
    expect(play.effects).toEqual([{kind: 'copy', text: 'secret-db-b1', what: 'db password of master'}]);
  });

  test('any other field is copied as received, and has nothing to reveal', () => {
    const play = at('custom');
    give(play, 'copyField');
    expect(play.effects).toEqual([{kind: 'copy', text: 'www.master.example.com', what: 'custom of master'}]);
    give(play, 'revealSecret');
    expect(stateRow(play)).toContain('this is not a secret');
  });

  test('control characters in a secret do not reach the screen', () => {
    const play = onBranches(decode(makeBuiltBranch('b1', 'master', {dbPassword: 'a\u001b[2Jb\nc'})), {
      columns: 140,
      rows: 120,
    });
    give(play, 'enterDetails');
    for (let steps = 0; !drawn(play).includes('▸ db password'); steps += 1) {
      expect(steps).toBeLessThan(100);
      give(play, 'moveDown');
    }
    give(play, 'open');
    expect(drawn(play)).not.toContain('\u001b');
    expect(drawn(play)).toMatch(/db password +a.*b.*c/);
  });

  test('outside of the record y and v say where to go', () => {
    const play = onBranches(built());
    give(play, 'copyField');
    expect(stateRow(play)).toContain('Tab goes into the record');
    expect(play.effects).toEqual([]);
  });

  test('Enter in the filter never reveals what was highlighted in the record before', () => {
    const play = at('db password');
    type(play, 'mas');
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.screen).toBe('log');
    expect(play.state.branches?.revealed).toBeUndefined();
  });
});

describe('the sites are listed', () => {
  const hoursAgo = (hours: number): number => sampleState().clockOffsetMs - hours * 3600_000;
  const sites = [
    {id: 'id-1', name: 'zebra', openedAtMs: undefined},
    {id: 'id-2', name: 'shop-10', openedAtMs: undefined},
    {id: 'id-3', name: 'shop-9', openedAtMs: undefined},
    {id: 'id-4', name: 'blog', openedAtMs: hoursAgo(5)},
    {id: 'id-5', name: undefined, openedAtMs: hoursAgo(1)},
  ];

  test('those that were opened lately first, the others as the config file has them', () => {
    const rows = showScreen(sampleState({sites})).slice(2, -2);
    expect(rows.map(row => row.slice(3).split(/ {3}/)[0]?.trim())).toEqual([
      'id-5',
      'blog',
      'zebra',
      'shop-10',
      'shop-9',
    ]);
  });

  test('by what was typed, the best fit first, with its letters told from the others', () => {
    const play = startAt(sampleState({sites}));
    type(play, 's10');
    expect(showScreen(play.state)[2]).toMatch(/▸ shop-10/);
    expect(
      rowsOf(play)[0]
        ?.filter(({tone}) => tone === 'hit')
        .map(({text}) => text),
    ).toEqual(['s', '10']);
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.branches?.siteId).toBe('id-2');
  });
});

describe('contexts', () => {
  const contexts = [
    {label: {name: 'production', host: 'api.example.com'}, sites: sampleState().sites},
    {label: {name: 'broken', host: ''}, sites: [], fault: "the context broken can't be used: no token"},
    {label: {name: 'staging', host: 'stage.example.com'}, sites: [{id: 's-1', name: 'trial', openedAtMs: undefined}]},
  ];

  test('Tab goes round through them, and the sites change along; one whose settings are wanting is passed over and told', () => {
    const play = startAt(sampleState({contexts, columns: 120, tokenNotice: 'old'}));
    expect(header(play)).toContain('production   api.example.com   context 1 of 3, Tab');
    give(play, 'nextContext');
    expect(header(play)).toContain('staging   stage.example.com   context 3 of 3, Tab');
    expect(showScreen(play.state)[2]).toContain('▸ trial');
    expect(stateRow(play)).toContain("the context broken can't be used: no token");
    expect(play.effects).toEqual([{kind: 'cancel'}, {kind: 'switchContext', name: 'staging'}]);
    expect(play.state.tokenNotice).toBeUndefined();
    give(play, 'nextContext');
    expect(header(play)).toContain('production');
    expect(stateRow(play).trim()).toBe('');
  });

  test('an answer that was asked for in another context is dropped', () => {
    const play = startAt(sampleState({contexts}));
    give(play, 'open');
    give(play, 'back');
    const {generation} = play.state;
    give(play, 'nextContext');
    expect(play.state.generation).toBe(generation + 1);
    give(play, 'open');
    expect(play.effects).toContainEqual({kind: 'fetchBranches', siteId: 's-1', generation: play.state.generation});
  });

  test('a site that was opened by its id is still there when one comes back', () => {
    const play = startAt(sampleState({contexts}));
    type(play, 'typed-id');
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.screen).toBe('sites');
    expect(play.state.notice).toBe('no site here is called “typed-id”: Enter asks the service for one with this id');
    give(play, 'open');
    play.branchesArrive(sampleBranches);
    give(play, 'back', 'nextContext', 'nextContext');
    expect(drawn(play)).toContain('typed-id');
  });

  test('where there is none to go to it is said, and nothing is let go of', () => {
    for (const few of [[], contexts.slice(0, 1)]) {
      const play = startAt(sampleState({contexts: few}));
      give(play, 'nextContext');
      expect(stateRow(play)).toContain('there is no other context in the config file');
      expect(play.effects).toEqual([]);
    }
    const play = startAt(sampleState({contexts: contexts.slice(0, 2)}));
    give(play, 'nextContext');
    expect(stateRow(play)).toContain("the context broken can't be used");
  });
});
