import {afterEach, expect, test} from 'vitest';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {bundleFixture} from './bundled-fixture.ts';

let program: PtyProgram | undefined;
afterEach(() => program?.close());

test('keys, pastes and Esc reach Ink, and what the terminal reports does not', async () => {
  const fixture = await bundleFixture('input-program.ts');
  program = startPtyProgram({command: process.execPath, args: [fixture], env: {NODE_ENV: 'production'}, rows: 20});
  await program.waitFor('ready');
  const {output, send} = program;
  expect(output()).toContain('\u001b]11;?\u0007');
  send('\u001b]11;rgb:1e1e/1e1e');
  send('/1e1e\u001b\\');
  await program.waitFor('report {"kind":"background","backdrop":"dark"}');
  send('\u001b[<64;10;5M\u001b[<0;1;1M\u001b[<0;1;1m');
  await program.waitFor('report {"kind":"press","columnIndex":0,"rowIndex":0}');
  send('\u001b[A');
  await program.waitFor('key "" Up');
  send('\u001b');
  await program.waitFor('key "" Esc');
  send('\u001b[200~x\u001b[<64;1;1My\u001b[201~');
  await program.waitFor('paste "x');
  send('ü');
  await program.waitFor('key "ü"');
  // Ink drew nothing else for all that: no letter of a report came through.
  expect(program.screenText().filter(row => /^(?:key|report|paste)/.test(row))).toEqual([
    'report {"kind":"background","backdrop":"dark"}',
    'report {"kind":"wheelUp","columnIndex":9,"rowIndex":4}',
    'report {"kind":"press","columnIndex":0,"rowIndex":0}',
    'key "" Up',
    'key "" Esc',
    'paste "x\\u001b[<64;1;1My"',
    'key "ü"',
  ]);
  send('q');
  expect(await program.exitCode()).toBe(0);
  expect(program.output().lastIndexOf('\u001b[?1006l\u001b[?1000l')).toBeGreaterThan(
    program.output().lastIndexOf('\u001b[?1000h'),
  );
});
