import {describe, expect, test} from 'vitest';
import type {Branch} from '#api/client/answer.ts';
import {revealMs} from '#app/record/open-record.ts';
import {selectView} from '#app/select-view.ts';
import type {State} from '#app/state/state.ts';
import {makeBuiltBranch} from '../../support/fake-records.ts';
import {
  decode,
  drawn,
  give,
  lastRowOf,
  onBranches,
  type Play,
  rowsOf,
  showScreen,
  typeFilter,
} from '../../support/play.ts';

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
    expect(lastRowOf(play)).toContain('private keys are never shown');
    expect(seen(play)).toEqual([]);
    give(play, 'copyField');
    expect(play.effects).toEqual([]);
    expect(lastRowOf(play)).toContain('shown or copied');
  });

  test('is copied only while it can be read', () => {
    const play = at('db password');
    give(play, 'copyField');
    expect(play.effects).toEqual([]);
    expect(lastRowOf(play)).toContain('reveal the secret before copying it');
    give(play, 'open', 'copyField');
    expect(play.effects).toEqual([{kind: 'copy', text: 'secret-db-b1', what: 'db password of master'}]);
  });

  test('any other field is copied as received, and has nothing to reveal', () => {
    const play = at('custom');
    give(play, 'copyField');
    expect(play.effects).toEqual([{kind: 'copy', text: 'www.master.example.com', what: 'custom of master'}]);
    give(play, 'revealSecret');
    expect(lastRowOf(play)).toContain('this is not a secret');
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
    expect(lastRowOf(play)).toContain('Tab goes into the record');
    expect(play.effects).toEqual([]);
  });

  test('Enter in the filter never reveals what was highlighted in the record before', () => {
    const play = at('db password');
    typeFilter(play, 'mas');
    play.send({kind: 'inputKey', key: 'Enter'});
    expect(play.state.screen).toBe('log');
    expect(play.state.branches?.revealed).toBeUndefined();
  });
});
