import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import type {PtyProgram} from '../support/pty-program.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.close());

test('keys that arrive in one piece are all taken, in their order', async () => {
  const program = service.open();
  await program.waitFor('▸ shop');
  program.send('jj/shop\r');
  await program.waitFor('▸ ✗ staging');
  // Down to the log and back, to another branch, and out: with Esc in the middle.
  program.send('j\u001b[Bk\r');
  await program.waitFor('shop › hotfix/cart');
  program.send('\u001bjj\r');
  await program.waitFor('shop › master');
  program.send('\u001bq');
  expect(await program.exitCode()).toBe(0);
});

test('keys and a new size before the rest of the program is loaded: no key is echoed or lost, and the new size is filled', async () => {
  const program = service.open({columns: 60, rows: 12});
  // The first bytes of the screens, before the rows and long before Ink.
  await program.waitFor(() => program.output().includes('\u001b[?1049h'));
  program.send('jjk');
  program.resize(90, 20);
  await program.waitFor(rows => rows.length === 20 && rows.at(-1)?.includes('q quit') === true);
  await program.waitFor('▸ shipping');
  expect(program.output()).not.toContain('jjk');
});

describe('one program on the sites', () => {
  let program: PtyProgram;
  beforeAll(() => {
    program = service.open();
  });
  beforeEach(async () => {
    await program.waitFor('▸ shop ');
  });
  // Each test begins on the first site, without a filter. Esc leaves whatever is open, and quits nothing.
  afterEach(async () => {
    program.press('Esc');
    await program.waitFor('Which site?');
    program.press('Esc');
    await program.waitFor(rows => rows.some(row => row.includes('showroom')) && !rows.join('').includes('█'));
    program.press('g');
  });

  test('an arrow whose bytes arrive in two pieces is one arrow', async () => {
    // Nobody can tell a lone Esc from the beginning of an arrow but by waiting; on a busy machine the second piece may come
    // after that wait, when it is two letters without a meaning here. So it is tried more than once.
    for (let tries = 0; tries < 10 && !program.screenText().some(row => row.startsWith(' ▸ shipping')); tries += 1) {
      program.send('\u001b');
      program.send('[B');
      await program.waitFor('▸ shipping', {deadlineMs: 500}).catch(() => {});
    }
    expect(program.screenText()[3]).toContain('▸ shipping');
  });

  test('pasted text goes to the filter in one piece, and line ends in it press no Enter', async () => {
    program.press('/');
    await program.waitFor('/ █');
    expect(program.output()).toContain('\u001b[?2004h');
    program.send('\u001b[200~\r\nship\u001b[31m\r\n\u001b[201~');
    await program.waitFor('/ ship [31m█');
    program.press('Ctrl+U');
    program.send('\u001b[200~ship\r\n\u001b[201~');
    await program.waitFor('/ ship█');
    program.press('Enter');
    await program.waitFor('This site has no branches.');
  });

  test('text that is pasted where no input line is open presses no key', async () => {
    program.send('\u001b[200~qjj?\r\u001b[201~');
    // What comes after it is taken, so it has been read.
    program.press('j');
    const rows = await program.waitFor('▸ shipping');
    expect(rows[1]).toBe(' Which site?');
    expect(program.hasExited()).toBe(false);
  });

  test('a terminal that knows no brackets pastes letters and an Enter', async () => {
    program.press('/');
    program.send('shipping\r');
    await program.waitFor('This site has no branches.');
  });

  test('more than a filter needs is cut, and the program lives on', async () => {
    program.press('/');
    program.send(`\u001b[200~${'x'.repeat(100_000)}\u001b[201~`);
    await program.waitFor('xxx');
    program.press('Ctrl+U');
    await program.waitFor('/ █');
    program.press('show');
    await program.waitFor('▸ showroom');
  });
});
