import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {builtProgram} from '../support/built-program.ts';
import type {PtyProgram, PtyProgramOptions} from '../support/pty-program.ts';
import {waitFor} from '../support/wait-for.ts';
import {deployedWindow, firstWindow, laterWindow, movedWindow} from './sample-log.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

const {command: builtCommand, launcher} = builtProgram;

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

const open = (args: readonly string[] = [], options: Omit<PtyProgramOptions, 'args'> = {}): PtyProgram =>
  service.open({args: ['--screen-reader', ...args], ...options});

/** All that was written, a sentence each, without the modes that are set at the beginning and the end. */
const sentencesOf = (program: PtyProgram): readonly string[] =>
  program
    .output()
    .replaceAll(/\u001b\[\?2004[hl]/g, '')
    .split('\r\n')
    .filter(sentence => sentence !== '');

const heard = (program: PtyProgram, wanted: string): Promise<unknown> =>
  program.waitFor(() => program.output().includes(wanted), {what: `“${wanted}” to be said`});

/** The control sequences and control characters written, each once; line ends are none. */
const sequencesOf = (program: PtyProgram): readonly string[] => [
  ...new Set(
    program.output().match(/\u001b(?:\[[^@-~]*[@-~]|.)|[\u0000-\u0009\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g),
  ),
];

const pasteMarks = ['\u001b[?2004h', '\u001b[?2004l'];

const countOf = (program: PtyProgram, text: string): number => program.output().split(text).length - 1;

test('from the sites to a log and out again, to the help and a filter: plain lines, nothing repainted, no cursor moved', async () => {
  const program = open();
  await heard(program, 'shop, id 5f3c0a12; item 1 of 3, selected');
  expect(program.altScreenActive()).toBe(false);
  expect(program.cursorShown()).toBe(true);
  program.press('Enter');
  await heard(program, 'item 1 of 7, selected');
  program.press('Down');
  await heard(program, 'hotfix/cart, build running, 2 pods, changed 1 min ago; item 2 of 7, selected');
  program.press('Down', 'Down', 'Enter');
  await heard(program, '22 lines since 14:00:00, the last 10:');
  await heard(program, '14:04:54');
  program.press('Esc');
  await heard(program, 'Back to the branches.');
  // Nothing of what was said is on the screen twice, and all of it is still there to be read again.
  expect(program.screenText().join('\n')).toContain('Back to the branches.');
  program.press('?');
  await heard(program, 'q or Control C: quit, or close what is open.');
  program.press('~');
  await heard(program, 'tilde has no meaning here.');
  program.press('/');
  await heard(program, 'Filter: type a name, an id or a status.');
  program.press('cart');
  await heard(program, 'Filter cart: 1 of 7.');
  program.press('Esc');
  await heard(program, 'Filter cleared.');
  program.send('\u001b[200~q\r\u001b[201~');
  const spoken = program.output().length;
  program.press('g', 'Down');
  await program.waitFor(
    () =>
      program
        .output()
        .slice(spoken)
        .includes('hotfix/cart, build running, 2 pods, changed 1 min ago; item 2 of 7, selected'),
    {what: 'the second branch'},
  );
  expect(program.hasExited()).toBe(false);
  program.press('q');
  expect(await program.exitCode()).toBe(0);
  expect(sequencesOf(program)).toEqual(pasteMarks);
  expect(sentencesOf(program).slice(0, 18)).toEqual([
    'branchlog in screen-reader mode. Question mark reads the keys, q quits.',
    expect.stringMatching(/^Sites of production, 127\.0\.0\.1:\d+\.$/),
    '1. shop, id 5f3c0a12',
    '2. shipping, id 77b1d29e',
    '3. showroom, id 90aa41c3',
    'shop, id 5f3c0a12; item 1 of 3, selected',
    'Branches of shop.',
    'Asking the service for them.',
    '7 branches, 3 deployed.',
    '1. staging, deploy failed, 2 pods, changed 11 min ago',
    '2. hotfix/cart, build running, 2 pods, changed 1 min ago',
    '3. experiment, waiting for quota, 0 pods, changed 1 day ago',
    '4. master, deployed, 2 pods, changed 2 h ago',
    '5. feature/checkout, deployed, 1 pod, changed 3 days ago',
    '6. release/2026-11-a-name-that-somebody-made-far-too-long, deployed, 2 pods, changed 2 months ago',
    '7. feature/new-theme, not built out, made 5 days ago',
    'staging, deploy failed, 2 pods, changed 11 min ago; item 1 of 7, selected',
    'hotfix/cart, build running, 2 pods, changed 1 min ago; item 2 of 7, selected',
  ]);
});

describe('a log that grows', () => {
  /** Asks for the window and waits until its newest line was read. */
  const ask = async (program: PtyProgram, newest: string): Promise<void> => {
    program.press('r');
    await heard(program, newest);
  };

  const textOf = (line: string): string => `${line.slice(11, 19)} ${line.slice(31)}`;

  test('is read line by line, each once, with late lines, gaps and pods in words', async () => {
    service.setWindow(firstWindow);
    const program = open(['shop', 'master']);
    await heard(program, '14:04:54');
    service.setWindow(laterWindow);
    await ask(program, '/checkout HTTP/1.1" 404');
    expect(sentencesOf(program)).toContain('late, 14:04:43 editor: saved index.php, later than others');
    service.setWindow(movedWindow);
    await ask(program, '/product/74');
    service.setWindow(deployedWindow);
    await ask(program, '14:06:51');
    program.press('q');
    expect(await program.exitCode()).toBe(0);
    const sentences = sentencesOf(program);
    expect(sentences).toContain(
      'Possible gap from 14:00:00.118 to 14:07:15.736, lines may be missing: the window moved on.',
    );
    expect(sentences).toContain('Pod shop-web-6d88-k9q1 went; lines since 14:06:13 may be missing.');
    expect(sentences).toContain('Pod shop-web-9b1e-p3v7 came.');
    // The ten of the first window that are read, and every line that came since. The true copy is read as often as it is there.
    const all = [...firstWindow.lines.slice(-10), ...laterWindow.lines, ...deployedWindow.lines];
    const wanted = new Map<string, number>();
    for (const line of new Set(all)) {
      const copies = Math.max(
        ...[laterWindow, deployedWindow].map(({lines}) => lines.filter(each => each === line).length),
      );
      wanted.set(textOf(line), copies);
    }
    for (const line of firstWindow.lines.slice(0, -10)) {
      wanted.set(textOf(line), 0);
    }
    expect(Object.fromEntries([...wanted.keys()].map(text => [text, countOf(program, text)]))).toEqual(
      Object.fromEntries(wanted),
    );
    expect(sequencesOf(program)).toEqual(pasteMarks);
  });

  test('that bursts is told in few sentences, and can be read back; INK_SCREEN_READER=true asks for that, and NO_COLOR changes nothing', async () => {
    const program = service.open({args: ['shop', 'master'], env: {INK_SCREEN_READER: 'true', NO_COLOR: '1'}});
    await heard(program, '14:04:54');
    const burst = Array.from(
      {length: 1000},
      (_, index) =>
        `2026-11-21T14:05:${String(index % 60).padStart(2, '0')}.${String(index).padStart(9, '0')}Z burst ${index}.`,
    ).toSorted();
    service.setWindow({...firstWindow, lines: [...firstWindow.lines, ...burst]});
    await ask(program, 'more lines, newest: ');
    expect(sentencesOf(program).filter(sentence => sentence.includes('burst '))).toHaveLength(20);
    expect(sentencesOf(program)).toContain('981 more lines, newest: 14:05:59 burst 959.');
    program.press('Up');
    await heard(program, 'Paused.\r\n14:05:59 burst 899.');
    program.press('q');
    expect(await program.exitCode()).toBe(0);
    expect(sequencesOf(program)).toEqual(pasteMarks);
  });

  test('is silent while it is read back, goes on with what came meanwhile, and says when its service fails', async () => {
    const program = open(['shop', 'master']);
    await heard(program, '14:04:54');
    program.press('Up');
    await heard(program, 'Paused.');
    service.setWindow(laterWindow);
    const requests = service.requests.length;
    program.press('r');
    await heard(program, 'Asking now.');
    // One may have been under way, one is the key's; the next is only asked for when the answer before it was taken.
    await waitFor(() => service.requests.length > requests + 2, {what: 'the request behind the one for this window'});
    program.press('Ctrl+L');
    await heard(program, 'paused at');
    expect(countOf(program, '/checkout')).toBe(0);
    program.press('End');
    await heard(program, '/checkout HTTP/1.1" 404');
    const sentences = sentencesOf(program);
    expect(sentences.indexOf('Following again.')).toBeLessThan(
      sentences.findIndex(sentence => sentence.includes('cache warmed')),
    );
    // A failure is told once, and when the service answers again.
    service.failAlways({kind: 'status', status: 503});
    program.press('r');
    await heard(program, 'Retrying in ');
    service.failAlways(undefined);
    program.press('r');
    await heard(program, 'The log is read again.');
    expect(sentencesOf(program).filter(sentence => /^Retrying in \d+ s: .*503/.test(sentence))).toHaveLength(1);
    // A signal ends it as it ends the screens.
    program.signal('SIGTERM');
    expect(await program.exitCode()).toBe(143);
    expect(program.output().endsWith('\u001b[?2004l')).toBe(true);
  });
});

test('Ctrl-Z gives the shell its terminal, fg goes on, and q leaves it as it was', async () => {
  const shell = service.open({
    command: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    env: {
      PS1: 'prompt> ',
      NODE: builtCommand,
      LAUNCHER: launcher,
    },
  });
  await shell.waitFor('prompt>');
  shell.press('"$NODE" "$LAUNCHER" --screen-reader shop', 'Enter');
  await heard(shell, 'item 1 of 7, selected');
  shell.press('Ctrl+Z');
  await heard(shell, 'Stopped');
  shell.press('stty -a | grep -o -w -e icanon -e echo | tr "\\n" +; echo', 'Enter');
  await heard(shell, 'icanon+echo+');
  const atPrompt = (rows: readonly string[]): boolean => rows.findLast(row => row !== '') === 'prompt>';
  await shell.waitFor(atPrompt, {what: 'the prompt'});
  const stoppedAt = shell.output().length;
  shell.press('fg', 'Enter');
  // The shell names the program; only then do paste marks come from the program, and keys go to it.
  await shell.waitFor(() => /--screen-reader shop.*\u001b\[\?2004h/s.test(shell.output().slice(stoppedAt)), {
    what: 'the program to go on',
  });
  shell.press('Down');
  await heard(shell, 'item 2 of 7, selected');
  shell.press('q');
  await shell.waitFor(atPrompt, {what: 'the program to end'});
  shell.press('stty -a | grep -o -w -e icanon | sed s/^/again-/; echo "code $?"', 'Enter');
  await heard(shell, 'again-icanon');
  await heard(shell, 'code 0');
});

describe('a terminal that takes no control sequences', () => {
  /** A pseudo-terminal names its own TERM, so it is set behind its back. */
  const openAs = (term: string, ...args: readonly string[]): PtyProgram =>
    service.open({command: '/usr/bin/env', args: [`TERM=${term}`, builtCommand, launcher, ...args]});

  test('gets the log as plain lines: not a single escape byte', async () => {
    const program = openAs('dumb', 'shop', 'master');
    await heard(program, '14:04:54');
    service.setWindow(movedWindow);
    await heard(program, '/product/74');
    program.press('Ctrl+C');
    expect(await program.exitCode()).toBe(130);
    expect(program.output()).not.toContain('\u001b');
    expect(program.output()).toContain('possible gap');
  });

  test.each(['dumb', 'unknown', ''])('without a branch is told what to run instead (TERM=%s)', async term => {
    const program = openAs(term);
    expect(await program.exitCode()).toBe(2);
    expect(program.output()).toContain('branchlog logs SITE BRANCH --follow');
    expect(program.output()).not.toContain('\u001b');
  });
});
