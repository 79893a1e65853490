import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {darkTheme, eitherTheme, lightTheme} from '#ui/theme.ts';
import type {PtyProgram} from '../support/pty-program.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {laterWindow} from './sample-log.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const start = async (extraConfig = ''): Promise<SampleService> => {
  service = await startSampleService({extraConfig});
  return service;
};

const quit = async (program: PtyProgram): Promise<void> => {
  program.press('q');
  expect(await program.exitCode()).toBe(0);
};

/** The number in the palette that a tone's text has. */
const paletteNumber = (style: string): number => Number(/38;5;(\d+)/.exec(style)?.[1]);
const accents = {dark: paletteNumber(darkTheme('accent')), light: paletteNumber(lightTheme('accent'))};

/** The colour of the site's name, which is drawn in the accent. */
const accentOf = (program: PtyProgram): number | string | undefined => program.cells()[0]?.[1]?.foreground;
/** Whether the terminal was asked for its background. */
const isAsked = (program: PtyProgram): boolean => program.events.oscs.includes('11;?');

describe('themes', () => {
  test('a terminal that says its background is white gets the light theme, on all rows', async () => {
    const opened = (await start()).open({args: ['shop']});
    await opened.waitFor(() => isAsked(opened), {what: 'the question for the background'});
    opened.send('\u001b]11;rgb:ffff/ffff/ffff\u0007');
    await opened.waitFor('hotfix/cart');
    await opened.waitFor(() => accentOf(opened) === accents.light, {what: 'the light theme'});
    const others = new Set(
      opened
        .cells()
        .flat()
        .map(({foreground}) => foreground)
        .filter(foreground => typeof foreground === 'number' && foreground < 16),
    );
    expect([...others]).toEqual([]);
    expect(opened.screenText().join('\n')).not.toContain('rgb');
    await quit(opened);
  });

  test('a terminal that does not answer has colours that can be read on any background', async () => {
    const program = (await start()).open({args: ['shop']});
    await program.waitFor('hotfix/cart');
    await program.waitFor(() => isAsked(program), {what: 'the question for the background'});
    program.press('j');
    await program.waitFor(rows => rows[3]?.startsWith(' ▸') === true, {what: 'the answer to the key'});
    expect(accentOf(program)).toBe(paletteNumber(eitherTheme('accent')));
    await quit(program);
  });
});

describe('keys', () => {
  const keys = '\n[keys]\nmove-down = "d"\ntoggle-help = ["F1", "?"]\nquit = "Ctrl+X"\ntoggle-details = "D"\n';

  test('a command has the keys of the config file and no others, on the screen, in hints and in the help', async () => {
    const program = (await start(keys.replace('"F1", ', ''))).open({args: []});
    const rows = await program.waitFor('shipping');
    expect(rows.at(-1)).toContain('Ctrl+X quit');
    program.press('q', 'j', 'd');
    const moved = await program.waitFor(now => now[3]?.startsWith(' ▸') === true);
    expect(program.hasExited()).toBe(false);
    expect(moved[2]).not.toContain('▸');
    program.press('?');
    const help = await program.waitFor('Keys on the sites screen');
    expect(help.join('\n')).toMatch(/^ {3}d {16}one row down$/m);
    program.press('/', 'exit', 'Enter');
    await program.waitFor(/^ {2,}Ctrl\+X, Ctrl\+C {2,}quit, or close what is open$/m);
    program.press('Ctrl+C');
    expect(await program.exitCode()).toBe(0);
  });

  test('what is wrong is told with its place, and ends the program with 2 before the screen is touched', async () => {
    const program = (await start('\n[keys]\nmove-dwn = "d"\npage-up = "q"\n')).open({args: []});
    expect(await program.exitCode()).toBe(2);
    expect(program.output()).not.toContain('\u001b');
    const told = program.output().replaceAll(/\s+/g, ' ');
    expect(told).toContain('config.toml: keys.move-dwn: no such command: did you mean move-down?');
    expect(told).toContain('keys.page-up: q is already the key of quit: give quit another');
  });
});

describe('the mouse', () => {
  const mouseOn = '\u001b[?1000h\u001b[?1006h';
  const mouseOff = '\u001b[?1006l\u001b[?1000l';
  /** Reports as a terminal sends them; places count from 1. */
  const click = (program: PtyProgram, row: number, column = 10): void =>
    program.send(`\u001b[<0;${column};${row}M\u001b[<0;${column};${row}m`);
  const wheel = (program: PtyProgram, direction: 'up' | 'down'): void =>
    program.send(`\u001b[<${direction === 'up' ? 64 : 65};10;5M`);

  const countOf = (program: PtyProgram, sequence: string): number => program.output().split(sequence).length - 1;

  test('on the log: the wheel scrolls three rows, a press picks, and another one opens; the mode is off at the end', async () => {
    const program = (await start()).open({args: ['shop', 'master'], rows: 12});
    await program.waitFor('following');
    expect(program.output()).not.toContain(mouseOn);
    program.press('m');
    await program.waitFor("mouse on: hold Shift for the terminal's own selection");
    wheel(program, 'up');
    const scrolled = await program.waitFor('3 newer below');
    // Down to the end, and on from there.
    wheel(program, 'down');
    wheel(program, 'down');
    await program.waitFor('following');
    wheel(program, 'up');
    await program.waitFor('3 newer below');
    click(program, 5);
    const picked = await program.waitFor(rows => rows[4]?.startsWith('▸') === true, {
      what: 'the cursor where it was pressed',
    });
    expect(picked[4]?.slice(1)).toBe(scrolled[4]?.slice(1));
    click(program, 5);
    await program.waitFor(' Fields');
    program.press('Esc', 'Esc', 'm');
    const off = await program.waitFor('mouse off');
    // A report that was on its way.
    wheel(program, 'up');
    program.press('m');
    const on = await program.waitFor('mouse on');
    expect(on.slice(2, -2)).toEqual(off.slice(2, -2));
    await quit(program);
    expect(program.output().lastIndexOf(mouseOff)).toBeGreaterThan(program.output().lastIndexOf(mouseOn));
  });

  test('[ui] mouse = true begins with it: in a list a press highlights, another one opens, and the wheel moves by three; it is off while another program has the terminal', async () => {
    const fake = await start('\n[ui]\nmouse = true\ntheme = "dark"\n');
    const program = fake.open({args: ['shop'], env: {COLORFGBG: '0;15'}});
    const listed = await program.waitFor('hotfix/cart');
    // The theme of the config file goes before what the terminal says, which is not asked for anything then.
    expect(accentOf(program)).toBe(accents.dark);
    await program.waitFor(() => countOf(program, mouseOn) === 1, {what: 'the mouse to be switched on'});
    expect(listed[2]).toMatch(/^ ▸/);
    wheel(program, 'down');
    await program.waitFor(rows => rows[5]?.startsWith(' ▸') === true, {what: 'the highlight three rows down'});
    // No shell is there to continue the program, so it comes back by itself.
    program.press('Ctrl+Z');
    await program.waitFor(() => countOf(program, mouseOn) === 2, {what: 'the mouse to be on again'});
    const output = program.output();
    expect(output.slice(output.indexOf(mouseOn), output.lastIndexOf(mouseOn))).toContain(mouseOff);
    const stagingRow = listed.findIndex(row => row.includes(' staging '));
    click(program, stagingRow + 1);
    await program.waitFor(rows => rows[stagingRow]?.startsWith(' ▸') === true, {what: 'the highlight on staging'});
    click(program, stagingRow + 1);
    await program.waitFor('shop › staging');
    await quit(program);
    expect(isAsked(program)).toBe(false);
    expect(program.output().lastIndexOf(mouseOff)).toBeGreaterThan(program.output().lastIndexOf(mouseOn));
  });
});

describe('calls', () => {
  const bellsOf = (program: PtyProgram): number => program.events.bells.length;

  /** The later window, and what was written after it. */
  const evenLaterWindow = {
    ...laterWindow,
    lines: [
      ...laterWindow.lines,
      '2026-11-21T14:13:20.000000000Z NOTICE: PHP message: PHP Fatal error:  Uncaught Error in /app/cart.php:52',
    ],
  };

  test('a line that matches rings, is shown by the desktop and handed to the command; one that was there at first is not', async () => {
    const fake = await start(
      '\n[notify]\nbell = true\nosc9 = true\npattern = "re:cart\\\\.php:\\\\d+"\ncommand = ["sh", "-c", "exit 3"]\n',
    );
    fake.setWindow(laterWindow);
    const program = fake.open({args: ['shop', 'master'], env: {COLORFGBG: '0;15'}});
    await program.waitFor('following');
    // This variable tells the theme, and nothing is asked.
    expect([accentOf(program), isAsked(program)]).toEqual([accents.light, false]);
    const polls = (): number => fake.requests.filter(({operation}) => operation === 'logs').length;
    const polled = polls();
    program.press('r');
    await waitFor(() => polls() > polled, {what: 'another poll'});
    fake.setWindow(evenLaterWindow);
    program.press('r');
    await program.waitFor('ended with exit code 3');
    const told = program.events.oscs.filter(osc => osc.startsWith('9;'));
    expect(told).toEqual([
      expect.stringMatching(/^9;branchlog: NOTICE: PHP message: PHP Fatal error: .*cart\.php:52$/),
    ]);
    await quit(program);
    expect(bellsOf(program)).toBe(1);
  });

  test("the command need not be the terminal's, and ends with the program, as does what it started", async () => {
    const folder = createTempFolder('notify');
    const program = join(folder.path, 'page');
    writeFileSync(
      program,
      '#!/bin/sh\ncat > "$0.got"; sleep 600 & echo "$$ $!" > "$0.new"; mv "$0.new" "$0.pids"; wait\n',
      {mode: 0o700},
    );
    const fake = await start(`\n[notify]\npattern = "cart.php"\ncommand = ["${program}"]\n`);
    const screen = fake.open({args: ['shop', 'master']});
    await screen.waitFor('following');
    fake.setWindow(laterWindow);
    screen.press('r');
    await waitFor(() => existsSync(`${program}.pids`), {what: 'the command'});
    expect(JSON.parse(readFileSync(`${program}.got`, 'utf8'))).toMatchObject({
      ...{kind: 'call', why: 'match', branch: 'master', skipped: 0},
      text: expect.stringMatching(/cart\.php:41$/),
    });
    const pids = readFileSync(`${program}.pids`, 'utf8').trim().split(' ');
    // One that nobody waited for is still listed, as a zombie.
    const alive = (): readonly string[] =>
      pids.filter(pid => /^[^Z\s]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], {encoding: 'utf8'}).stdout));
    expect(alive()).toEqual(pids);
    await quit(screen);
    await waitFor(() => alive().length === 0, {what: 'the end of both'});
    folder.remove();
  });

  test('a pattern that is none ends the program with 2', async () => {
    const program = (await start('\n[notify]\nbell = true\npattern = "re:("\n')).open({args: []});
    expect(await program.exitCode()).toBe(2);
    expect(program.output()).toContain('[notify] pattern: ');
  });
});

describe('memory', () => {
  const open = (fake: SampleService, keepsMemory = true): PtyProgram =>
    fake.open({args: ['shop', 'master'], keepsMemory});

  test('wrap, times, filters, highlights, the level and marks are as they were left, after the program ended', async () => {
    const fake = await start();
    const first = open(fake);
    await first.waitFor('following');
    first.press('v', 'Up', 'M', 'begins here', 'Enter', 'Esc', 'End');
    await first.waitFor('● begins here');
    first.press('w', 't', 'f', 'product', 'Enter', 'F', 're:/5\\d ', 'Enter');
    await first.waitFor('− re:/5');
    await quit(first);
    const stored = JSON.parse(readFileSync(join(first.home, '.local/state/branchlog/branch-state.json'), 'utf8'));
    expect(stored.branches).toEqual([
      expect.objectContaining({
        contextName: 'production',
        siteId: '5f3c0a12',
        branchId: 'b-master',
        filters: ['+product', '-re:/5\\d '],
        wraps: true,
        timeMode: 'utc',
        marks: [
          {at: '2026-11-21T14:04:40.118000000Z', lineHash: expect.stringMatching(/^[\da-f]{16}$/), note: 'begins here'},
        ],
      }),
    ]);
    const second = open(fake);
    const rows = await second.waitFor('● begins here');
    const screen = rows.join('\n');
    expect(screen).toContain('as you left it: 2 filters active; X shows all lines');
    expect(screen).toContain('2026-11-21T14:04:40.118Z');
    expect(screen).toMatch(/Linux\s+x86_64\)/);
    expect(screen).not.toContain('14:02:34.118Z');
    second.press('X', 'w');
    await second.waitFor('14:02:34.118Z');
    // Killed, not quit: what changed was kept a moment after it did.
    const path = join(second.home, '.local/state/branchlog/branch-state.json');
    await waitFor(() => JSON.parse(readFileSync(path, 'utf8')).branches[0].wraps === false, {
      what: 'the change to be kept',
    });
    second.signal('SIGKILL');
    const third = open(fake);
    await third.waitFor('● begins here');
    expect(third.screenText().join('\n')).toContain('2026-11-21T14:04:40.118Z');
    expect(third.screenText().join('\n')).not.toContain('as you left it');
    await quit(third);
  });

  test('without a home it is said, once, and nothing is kept', async () => {
    const fake = await start();
    const home = homeOf(fake);
    const config = readFileSync(join(home, '.config/branchlog/config.toml'), 'utf8');
    writeFileSync(join(home, 'config.toml'), config.replace('~/token', join(home, 'token')));
    const program = fake.open({
      args: ['--config', join(home, 'config.toml'), 'shop', 'master'],
      env: {HOME: '', XDG_STATE_HOME: undefined},
    });
    await program.waitFor('no home folder: views of branches are not remembered');
    program.press('w');
    await program.waitFor('wrapped');
    await quit(program);
  });
});

/** The home that its programs have. */
const homeOf = (fake: SampleService): string => fake.open({command: '/bin/sh', args: ['-c', 'true']}).home;
