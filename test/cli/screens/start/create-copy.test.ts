import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createCopy} from '#cli/screens/start/create-screens-store.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

const copyTo = (term: string) => {
  const written: string[] = [];
  return {copy: createCopy({TERM: term}, bytes => written.push(bytes)), written};
};

test('sends a text to the terminal and says what and how much', async () => {
  const {copy, written} = copyTo('xterm-256color');
  expect(await copy('é', 'name of master')).toBe("sent name of master, 2 bytes, to the terminal's clipboard");
  expect(await copy(new Uint8Array([65]), 'a line')).toBe("sent a line, 1 byte, to the terminal's clipboard");
  expect(written).toEqual(['\u001b]52;c;w6k=\u0007', '\u001b]52;c;QQ==\u0007']);
});

test('sends nothing that is too much, and says how much may be', async () => {
  const {copy, written} = copyTo('xterm-256color');
  expect(await copy('x'.repeat(80_000), '3 lines')).toMatch(/^3 lines is too much .*: 80,000 of at most [\d,]+ bytes$/);
  expect(written).toEqual([]);
});

test('says where there is no clipboard', async () => {
  const {copy, written} = copyTo('linux');
  expect(await copy('x', 'a line')).toContain('no clipboard');
  expect(written).toEqual([]);
});

/** Copies in a tmux that answers so, and returns the notice, and what tmux was asked. */
const copyInTmux = async (answer: string, tmuxMs = 30_000) => {
  const folder = createTempFolder('tmux');
  onTestFinished(() => folder.remove());
  const script = `#!/bin/sh\necho "$*" "\${BRANCHLOG_TOKEN-}" > '${join(folder.path, 'asked')}'\n${answer}\n`;
  writeFileSync(join(folder.path, 'tmux'), script, {mode: 0o755});
  const written: string[] = [];
  const env = {
    ...{TERM: 'tmux-256color', TMUX: '/run/tmux/default,12,0', TMUX_PANE: '%3', BRANCHLOG_TOKEN: 'secret'},
    PATH: `${folder.path}:/bin:/usr/bin`,
  };
  const notice = await createCopy(env, bytes => written.push(bytes), tmuxMs)('x', '1 line');
  return {notice, written, asked: () => readFileSync(join(folder.path, 'asked'), 'utf8')};
};

test.each(['external', 'off'])('says that a tmux keeps the text whose set-clipboard is %s', async setting => {
  const {notice, written, asked} = await copyInTmux(`echo ${setting}; echo off`);
  expect(notice).toBe(`tmux keeps 1 line: "tmux set -s set-clipboard on" passes it on (now ${setting})`);
  expect(written).toHaveLength(1);
  expect(asked()).toBe('-S /run/tmux/default show -sv set-clipboard ; show -qApv -t %3 allow-passthrough \n');
});

test.each([
  ['takes copies', 'echo on; echo off'],
  ['passes on what is wrapped', 'echo external; echo on'],
  ['is older than its option for that', 'echo external'],
  ['fails', 'echo external; echo off; exit 1'],
])('says that a text was sent through a tmux that %s', async (_, answer) => {
  const {notice} = await copyInTmux(answer);
  expect(notice).toBe("sent 1 line, 1 byte, to the terminal's clipboard");
});

test('does not wait for a tmux that does not answer', async () => {
  expect((await copyInTmux('exec sleep 600', 1)).notice).toBe("sent 1 line, 1 byte, to the terminal's clipboard");
});
