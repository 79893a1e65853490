import {afterEach, beforeEach, describe, test} from 'vitest';
import {createTempFolder} from '../support/temp-folder.ts';
import {expectGolden} from './expect-golden.ts';
import {cartWindow, deployedWindow, laterWindow, movedWindow} from './sample-log.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

const sizes = [
  {size: '80x24', columns: 80, rows: 24},
  {size: '200x50', columns: 200, rows: 50},
  {size: '40x10', columns: 40, rows: 10},
];

describe.each(sizes)('at $size', ({size, columns, rows}) => {
  const golden = (screen: string): string => `${screen}-${size}`;

  test('sites, branches and their help', async () => {
    const program = service.open({columns, rows});
    await expectGolden(program, golden('sites'), '▸ shop ');
    program.press('?');
    await expectGolden(program, golden('sites-help'), 'Keys on the sites screen');
    program.press('Esc', '/', 'sho');
    await expectGolden(program, golden('sites-filter'), '/ sho█');
    program.press('Enter');
    await expectGolden(program, golden('branches'), '▸ ● master');
    program.press('?');
    await expectGolden(program, golden('branches-help'), 'Keys on the branches screen');
    // On a wide terminal the record is there before it is asked for, and `d` takes it away.
    const isWide = columns >= 100;
    program.press('Esc', 'd');
    await expectGolden(
      program,
      golden(isWide ? 'branches-without-record' : 'branches-record'),
      screen =>
        screen.some(row => row.startsWith(' Branch')) !== isWide && !screen.some(row => / {2}Branch$/.test(row)),
    );
    program.press('d', '/', 'stag');
    await expectGolden(program, golden('branches-filter'), '/ stag█');
    program.press('xyz');
    await expectGolden(program, golden('branches-filter-hides-all'), 'None of the 7');
  });

  test('a log: following, with all that can happen to it, scrolled up, and its help', async () => {
    const program = service.open({columns, rows, args: ['shop', 'master']});
    await expectGolden(program, golden('log'), '14:04:54.118');
    for (const [window, newest] of [
      [laterWindow, '14:05:14.118'],
      [movedWindow, '14:06:44.118'],
    ] as const) {
      service.setWindow(window);
      program.press('r');
      await program.waitFor(newest);
    }
    service.setWindow(deployedWindow);
    program.press('r');
    await expectGolden(program, golden('log-following'), '14:06:51.118');
    program.press('g');
    await expectGolden(program, golden('log-scrolled-up'), 'paused at 14:00:00');
    program.press('?');
    await expectGolden(program, golden('log-help'), 'Keys on the log screen');
  });

  test('two branches as one log: marked, following, with a gap in one, scrolled up', async () => {
    const program = service.open({columns, rows, args: ['shop']});
    service.setLog('b-cart', () => cartWindow);
    await program.waitFor('▸ ● master');
    program.press('Space', 'j', 'j', 'j', 'j', 'Space');
    await expectGolden(program, golden('branches-marked'), '2 marked');
    program.press('Enter');
    await expectGolden(program, golden('log-of-two'), screen =>
      ['14:04:54.118', '14:04:50.000'].every(clock => screen.join('\n').includes(clock)),
    );
    service.setWindow(deployedWindow);
    program.press('r');
    await expectGolden(program, golden('log-of-two-with-a-gap'), '14:06:51.118');
    program.press('g');
    await expectGolden(program, golden('log-of-two-scrolled-up'), 'paused at 14:00:00');
  });

  test('a branch that is not built out, a log without lines, a site without branches', async () => {
    const unbuilt = service.open({columns, rows, args: ['shop', 'feature/new-theme']});
    await expectGolden(unbuilt, golden('log-not-built-out'), 'This branch is not built out');
    await unbuilt.close();
    const empty = service.open({columns, rows, args: ['shop', 'feature/checkout']});
    await expectGolden(empty, golden('log-empty'), 'no lines yet');
    await empty.close();
    const none = service.open({columns, rows, args: ['shipping']});
    await expectGolden(none, golden('branches-none'), 'no branches.');
  });

  test('a branch that is not there, and no sites at all', async () => {
    const unknown = service.open({columns, rows, args: ['shop', 'mastre']});
    await expectGolden(unknown, golden('branches-unknown-branch'), 'no branch here');
    await unknown.close();
    const home = createTempFolder('no-sites');
    const args = ['--base-url', 'http://127.0.0.1:10009/dev-v1', '--tenant', 'org-1', '--auth-mode', 'mode-1'];
    const noSites = service.open({columns, rows, args, home, env: {BRANCHLOG_TOKEN: 'a.b.c'}});
    await expectGolden(noSites, golden('sites-none'), 'No sites are configured');
    await noSites.close();
    home.remove();
  });

  test('a service that fails: lines and branches stay, and the reason is told', async () => {
    const program = service.open({columns, rows, args: ['shop', 'master']});
    await program.waitFor('14:04:54.118');
    service.failAlways({kind: 'status', status: 500});
    program.press('r');
    await expectGolden(program, golden('log-failing'), 'failing since');
    program.press('Esc');
    await expectGolden(program, golden('branches-failing'), /▸ ● master[\s\S]*! 127/);
    program.press('Esc', 'j', 'j', 'Enter');
    await expectGolden(program, golden('branches-never-came'), /No branches[\s\S]*! 127/);
  });
});
