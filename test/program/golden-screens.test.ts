import {afterEach, beforeEach, describe, test} from 'vitest';
import {createTempFolder} from '../support/temp-folder.ts';
import {expectGolden} from './expect-golden.ts';
import {deployedWindow, laterWindow, movedWindow} from './sample-log.ts';
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
    program.press('Esc', '/', 'sh', 'o');
    await expectGolden(program, golden('sites-filter'), '/ sho█');
    program.press('Enter');
    await expectGolden(program, golden('branches'), /▸ ● master/);
    program.press('?');
    await expectGolden(program, golden('branches-help'), 'Keys on the branches screen');
    program.press('Esc', 'd');
    // On a wide terminal the record is there before it is asked for, and `d` takes it away.
    await expectGolden(program, golden('branches-details'), columns < 100 ? 'master.example.com' : /● master .*\n.*○/s);
    program.press('d', '/', 'stag');
    await expectGolden(program, golden('branches-filter'), '/ stag█');
    program.press('xyz');
    await expectGolden(program, golden('branches-filter-hides-all'), 'fits the filter');
  });

  test('a log: following, with all that can happen to it, scrolled up, and its help', async () => {
    const program = service.open({columns, rows, args: ['shop', 'master']});
    await expectGolden(program, golden('log'), '/product/61');
    service.setWindow(laterWindow);
    program.press('r');
    await program.waitFor('/checkout');
    service.setWindow(movedWindow);
    program.press('r');
    await program.waitFor('/product/74');
    service.setWindow(deployedWindow);
    program.press('r');
    await expectGolden(program, golden('log-following'), '14:06:51.118');
    program.press('g');
    await expectGolden(program, golden('log-scrolled-up'), /paused at 14:00:00.*14 newer|paused at 14:00/);
    program.press('?');
    await expectGolden(program, golden('log-help'), 'Keys on the log screen');
  });

  test('what is not there: a branch not built out, an empty log, no branches, an unknown branch, no sites', async () => {
    const unbuilt = service.open({columns, rows, args: ['shop', 'feature/new-theme']});
    await expectGolden(unbuilt, golden('log-not-built-out'), 'not built out:');
    unbuilt.press('q');
    const empty = service.open({columns, rows, args: ['shop', 'feature/checkout']});
    await expectGolden(empty, golden('log-empty'), 'no lines yet');
    empty.press('q');
    const none = service.open({columns, rows, args: ['shipping']});
    await expectGolden(none, golden('branches-none'), 'no branches.');
    none.press('q');
    const unknown = service.open({columns, rows, args: ['shop', 'mastre']});
    await expectGolden(unknown, golden('branches-unknown-branch'), 'mastre');
    unknown.press('q');
    const home = createTempFolder('no-sites');
    const args = ['--base-url', 'http://127.0.0.1:9/dev-v1', '--tenant', 'org-1', '--auth-mode', 'mode-1'];
    const noSites = service.open({columns, rows, args, home, env: {BRANCHLOG_TOKEN: 'a.b.c'}});
    await expectGolden(noSites, golden('sites-none'), 'No site is configured');
    noSites.press('q');
    await noSites.exitCode();
    home.remove();
  });

  test('a service that fails: lines and branches stay, and the reason is told', async () => {
    const program = service.open({columns, rows, args: ['shop', 'master']});
    await program.waitFor('/product/61');
    service.failAlways({kind: 'status', status: 500});
    program.press('r');
    await expectGolden(program, golden('log-failing'), 'failing');
    program.press('Esc');
    await expectGolden(program, golden('branches-failing'), /▸ ● master[^]*!/);
    program.press('Esc', 'j', 'j', 'Enter');
    await expectGolden(program, golden('branches-never-came'), 'has not answered yet');
  });
});
