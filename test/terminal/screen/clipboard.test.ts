import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {formatClipboardWrite, formatNotification, wrapForMultiplexer} from '#terminal/screen/passthrough.ts';
import {createEmulator} from '../../support/emulator.ts';
import {startPtyProgram} from '../../support/pty-program.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {isInstalled} from '../multiplexer-installed.ts';

const xterm = {TERM: 'xterm-256color'};

const sequenceOf = (text: string | Uint8Array, env: Readonly<Record<string, string>>): string => {
  const write = formatClipboardWrite(text, env);
  return write.kind === 'sequence' ? write.sequence : `none: ${write.kind}`;
};

describe('the clipboard', () => {
  test('gets a text as one OSC 52 in base64 of its UTF-8', () => {
    expect(formatClipboardWrite('grün\n', xterm)).toEqual({
      kind: 'sequence',
      sequence: '\u001b]52;c;Z3LDvG4K\u0007',
      bytes: 6,
    });
  });

  test('gets bytes as they are', () => {
    expect(sequenceOf(Uint8Array.of(0, 255, 10).subarray(1), xterm)).toBe('\u001b]52;c;/wo=\u0007');
  });

  test('is set by a terminal, which draws none of it', async () => {
    const emulator = createEmulator(20, 3);
    await emulator.write(`a${sequenceOf('secret', xterm)}b`);
    expect([emulator.screenText()[0], emulator.events.oscs, emulator.events.bells]).toEqual([
      'ab',
      ['52;c;c2VjcmV0'],
      [],
    ]);
    emulator.close();
  });

  test('takes 74,994 bytes, which make a sequence of 100,000, and not one more; kitty takes more', () => {
    expect(sequenceOf('x'.repeat(74_994), xterm)).toHaveLength(100_000);
    const larger = 'x'.repeat(74_995);
    expect(formatClipboardWrite(larger, xterm)).toEqual({kind: 'tooLarge', bytes: 74_995, bytesMax: 74_994});
    expect(formatClipboardWrite(larger, {TERM: 'xterm-kitty'}).kind).toBe('sequence');
    // Between kitty and us stands tmux.
    expect(formatClipboardWrite(larger, {TERM: 'tmux-256color', KITTY_WINDOW_ID: '1'}).kind).toBe('tooLarge');
  });

  test.each([
    ['linux', 'the Linux console has no clipboard to copy to'],
    ['dumb', 'a terminal of the kind "dumb" has no clipboard to copy to'],
    ['', 'a terminal of the kind "" has no clipboard to copy to'],
    ['vt220', 'a terminal of the kind "vt220" has no clipboard to copy to'],
  ])('is none on TERM=%s, which would draw it', (term, sentence) => {
    expect(formatClipboardWrite('x', {TERM: term})).toEqual({kind: 'none', sentence});
  });

  test('is reached through tmux in both ways, by TERM where SSH lies between', () => {
    const plain = '\u001b]52;c;eA==\u0007';
    const both = `${plain}\u001bPtmux;\u001b\u001b]52;c;eA==\u0007\u001b\\`;
    expect(sequenceOf('x', {TERM: 'screen-256color', TMUX: '/tmp/tmux-1/default,1,0'})).toBe(both);
    expect(sequenceOf('x', {TERM: 'tmux-256color'})).toBe(both);
  });

  test('is reached through screen in pieces, none longer than its oldest versions take', () => {
    const sequence = sequenceOf('x'.repeat(3_000), {TERM: 'screen'});
    const pieces = sequence.split('\u001b\\');
    expect(pieces.pop()).toBe('');
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.filter(piece => !piece.startsWith('\u001bP') || piece.length > 254)).toEqual([]);
    expect(pieces.map(piece => piece.slice(2)).join('')).toBe(sequenceOf('x'.repeat(3_000), xterm));
  });
});

describe('a call', () => {
  const both = {bell: true, osc9: true};

  test('is a notification that begins with the name, and a bell', () => {
    expect(formatNotification('boom', both, xterm)).toBe('\u001b]9;branchlog: boom\u0007\u0007');
    expect(formatNotification('boom', {bell: true, osc9: false}, xterm)).toBe('\u0007');
    expect(formatNotification('boom', {bell: false, osc9: false}, xterm)).toBe('');
  });

  test('holds nothing but printable ASCII, at most 200 characters of it', () => {
    const hostile = `a\u0007b\u001b]52;c;x\u009c grün \n\t${'x'.repeat(10_000)}`;
    const [, text = ''] =
      /^\u001b\]9;([\s\S]*)\u0007$/.exec(formatNotification(hostile, {bell: false, osc9: true}, xterm)) ?? [];
    expect(text).toMatch(/^branchlog: a\?b\?\]52;c;x\?gr\?n x+\.\.\.$/);
    expect(text).toHaveLength(200);
  });

  test('goes through multiplexers, the bell as it is', () => {
    expect(formatNotification('x', both, {TERM: 'tmux'})).toBe(
      '\u001bPtmux;\u001b\u001b]9;branchlog: x\u0007\u001b\\\u0007',
    );
    expect(formatNotification('x', both, {TERM: 'screen'})).toBe('\u001bP\u001b]9;branchlog: x\u0007\u001b\\\u0007');
  });

  test('is the bell alone on consoles, and nothing at all where no control character may be', () => {
    expect(formatNotification('x', both, {TERM: 'linux'})).toBe('\u0007');
    expect(formatNotification('x', both, {TERM: 'vt100'})).toBe('\u0007');
    expect(formatNotification('x', both, {TERM: 'dumb'})).toBe('');
    expect(formatNotification('x', both, {})).toBe('');
  });
});

/** Runs a command in a multiplexer of its own, in a terminal, and answers what that terminal was told by OSC 52. */
const copiesThrough = async (
  command: string,
  argsFor: (folder: string, print: string) => readonly string[],
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  sequence: string,
): Promise<readonly string[]> => {
  const folder = createTempFolder('copy');
  mkdirSync(join(folder.path, 'sockets'), {mode: 0o700});
  for (const [name, content] of Object.entries({...files, sequence})) {
    writeFileSync(join(folder.path, name), content);
  }
  const program = startPtyProgram({
    command,
    // It ends by itself, and the multiplexer with it; where a test fails, by losing its terminal.
    args: argsFor(
      folder.path,
      `echo ready; while read word; [ -n "$word" ]; do cat ${join(folder.path, 'sequence')}; echo "printed $word"; done`,
    ),
    home: folder,
    env: {
      ...env,
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      SCREENDIR: join(folder.path, 'sockets'),
      TMUX_TMPDIR: folder.path,
    },
  });
  try {
    // Before the terminal is attached tmux has nobody to hand anything on to.
    await program.waitFor('ready');
    const copies = (): readonly string[] => program.events.oscs.filter(osc => osc.startsWith('52;'));
    // While tmux is about to draw the pane anew, it hands nothing on.
    for (let tries = 1; tries <= 5 && copies().length === 0; tries += 1) {
      program.press(`${tries}`, 'Enter');
      await program.waitFor(`printed ${tries}`);
    }
    program.press('Enter');
    await program.exitCode();
    return copies();
  } finally {
    await program.close();
    folder.remove();
  }
};

const text = `copied ${'x'.repeat(3_000)}`;
const payload = Buffer.from(text).toString('base64');
const shorten = (osc: string): string => osc.replace(payload, 'PAYLOAD');

describe.skipIf(!isInstalled('tmux'))('through a real tmux', () => {
  test.each([
    ['on', 'off', ['52;;PAYLOAD']],
    ['external', 'on', ['52;c;PAYLOAD']],
    // The defaults of tmux, which let nothing through.
    ['external', 'off', []],
  ])('with set-clipboard %s and allow-passthrough %s', async (clipboard, passthrough, oscs) => {
    const told = await copiesThrough(
      'tmux',
      (folder, print) => ['-L', 'branchlog-test', '-f', join(folder, 'tmux.conf'), 'new-session', print],
      {
        'tmux.conf': `set -s set-clipboard ${clipboard}\nset -g allow-passthrough ${passthrough}\nset -s exit-unattached on\n`,
      },
      {},
      sequenceOf(text, {TERM: 'tmux-256color'}),
    );
    expect(told.map(shorten)).toEqual(oscs);
  });
});

describe.skipIf(!isInstalled('screen'))('through a real GNU screen', () => {
  test('all of it arrives', async () => {
    const told = await copiesThrough(
      'screen',
      (folder, print) => ['-c', join(folder, 'screenrc'), 'sh', '-c', print],
      {screenrc: 'startup_message off\nautodetach off\n'},
      {},
      sequenceOf(text, {TERM: 'screen'}),
    );
    expect(told.map(shorten)).toEqual(['52;c;PAYLOAD']);
  });
});

test('what is wrapped for tmux comes out as it was', () => {
  const wrapped = wrapForMultiplexer('\u001b]9;x\u001b\\', 'tmux');
  expect(wrapped).toBe('\u001bPtmux;\u001b\u001b]9;x\u001b\u001b\\\u001b\\');
});
