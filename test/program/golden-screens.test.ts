import {afterEach, beforeEach, test} from 'vitest';
import type {PtyProgram} from '../support/pty-program.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {expectGolden} from './expect-golden.ts';
import {
  calmWindow,
  cartWindow,
  deployedWindow,
  laterWindow,
  movedWindow,
  silentWindow,
  troubleWindow,
} from './sample-log.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

// The last one is that of a program that starts, so that the next key finds it again.
const sizes = [
  [200, 50],
  [40, 10],
  [80, 24],
] as const;

/** One program is resized instead of starting one for each size: resize.test.ts holds that both draw the same. */
const expectGoldens = async (
  program: PtyProgram,
  screen: string,
  wanted: Parameters<typeof expectGolden>[2],
): Promise<void> => {
  await program.waitFor(wanted);
  for (const [columns, rows] of sizes) {
    program.resize(columns, rows);
    await expectGolden(program, `${screen}-${columns}x${rows}`, wanted);
  }
};

test('sites, branches and their help', async () => {
  const program = service.open();
  await expectGoldens(program, 'sites', '▸ shop ');
  program.press('?');
  await expectGoldens(program, 'sites-help', 'Keys on the sites screen');
  program.press('Esc', '/', 'sho');
  await expectGoldens(program, 'sites-filter', '/ sho█');
  program.press('Enter');
  await expectGoldens(program, 'branches', '▸ ✗ staging');
  program.press('?');
  await expectGoldens(program, 'branches-help', 'Keys on the branches screen');
  program.press('Esc', '/', 'stag');
  await expectGoldens(program, 'branches-filter', '/ stag█');
  program.press('xyz');
  await expectGoldens(program, 'branches-filter-hides-all', 'None of the 7');
  program.press('Esc', 'd');
  await expectGolden(program, 'branches-record-80x24', /^ Branch/m);
  program.resize(40, 10);
  await expectGolden(program, 'branches-record-40x10', /^ Branch/m);
  // On a wide terminal the record is there before it is asked for, and `d` takes it away.
  program.resize(200, 50);
  await program.waitFor(/ {2}Branch$/m);
  program.press('d');
  await expectGolden(program, 'branches-without-record-200x50', screen => !screen.some(row => / {2}Branch$/.test(row)));
});

test('a log: following, with all that can happen to it, scrolled up, and its help', async () => {
  const program = service.open({args: ['shop', 'master']});
  await expectGoldens(program, 'log', '14:04:54.118');
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
  await expectGoldens(program, 'log-following', '14:06:51.118');
  program.press('g');
  await expectGoldens(program, 'log-scrolled-up', 'paused at 14:00:00');
  program.press('?');
  await expectGoldens(program, 'log-help', 'Keys on the log screen');
});

test('what happened: an incident that is over, calm, and a log that fell silent', async () => {
  for (const [name, window, wanted] of [
    ['incident', troubleWindow, ' INCIDENT 14:05:00 to '],
    ['incident-calm', calmWindow, ' CALM for '],
    ['incident-cannot-tell', silentWindow, ' CANNOT TELL: '],
  ] as const) {
    service.setWindow(window);
    const program = service.open({args: ['shop', 'master']});
    await program.waitFor('POST /checkout');
    program.press('I');
    await expectGoldens(program, name, wanted);
    await program.close();
  }
});

test('two branches as one log: marked, following, with a gap in one, scrolled up', async () => {
  const program = service.open({args: ['shop']});
  service.setLog('b-cart', () => cartWindow);
  await program.waitFor('▸ ✗ staging');
  program.press('j', 'j', 'j', 'Space', 'k', 'k', 'Space');
  await expectGoldens(program, 'branches-marked', '2 marked');
  program.press('Enter');
  await expectGoldens(program, 'log-of-two', screen =>
    ['14:04:54.118', '14:04:50.000'].every(clock => screen.join('\n').includes(clock)),
  );
  service.setWindow(deployedWindow);
  program.press('r');
  await expectGoldens(program, 'log-of-two-with-a-gap', '14:06:51.118');
  program.press('g');
  await expectGoldens(program, 'log-of-two-scrolled-up', 'paused at 14:00:00');
});

test('a branch that is not built out, a log without lines, a site without branches', async () => {
  const program = service.open({args: ['shop', 'feature/new-theme']});
  await expectGoldens(program, 'log-not-built-out', 'This branch is not built out');
  program.press('Esc', '/', 'checkout', 'Enter');
  await expectGoldens(program, 'log-empty', 'no lines yet');
  // Back to the branches, without the filter, and to the sites.
  program.press('Esc', 'Esc', 'Esc', '/', 'shipping', 'Enter');
  await expectGoldens(program, 'branches-none', 'no branches.');
});

test('a branch that is not there, and no sites at all', async () => {
  const unknown = service.open({args: ['shop', 'mastre']});
  await expectGoldens(unknown, 'branches-unknown-branch', 'no branch here');
  await unknown.close();
  const home = createTempFolder('no-sites');
  const args = ['--base-url', 'http://127.0.0.1:10009/dev-v1', '--tenant', 'org-1', '--auth-mode', 'mode-1'];
  const noSites = service.open({args, home, env: {BRANCHLOG_TOKEN: 'a.b.c'}});
  await expectGoldens(noSites, 'sites-none', 'No sites are configured');
  await noSites.close();
  home.remove();
});

test('a service that fails: lines and branches stay, and the reason is told', async () => {
  const program = service.open({args: ['shop', 'master']});
  await program.waitFor('14:04:54.118');
  service.failAlways({kind: 'status', status: 500});
  program.press('r');
  await expectGoldens(program, 'log-failing', 'failing since');
  program.press('Esc');
  await expectGoldens(program, 'branches-failing', /▸ ● master[\s\S]*! 127/);
  program.press('Esc', 'j', 'j', 'Enter');
  await expectGoldens(program, 'branches-never-came', /No branches[\s\S]*! 127/);
});
