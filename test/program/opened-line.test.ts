import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {hostileTexts} from '../log/hostile-text.ts';
import type {PtyProgram} from '../support/pty-program.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
let program: PtyProgram | undefined;

beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.close());
afterEach(async () => {
  await program?.close();
  program = undefined;
});

const openLog = async (lines: readonly string[]): Promise<PtyProgram> => {
  service.setWindow({
    lines: lines.map((line, second) => `2026-11-21T14:00:${String(second).padStart(2, '0')}.000000000Z ${line}`),
    pods: [{name: 'shop-web-7f9c-x2x4', createdAt: '2026-11-21T09:00:00Z'}],
  });
  const opened = service.open({args: ['shop', 'master'], columns: 100, rows: 40});
  program = opened;
  await opened.waitFor('live');
  return opened;
};

test('a line that attacks the terminal is opened, and nothing of it takes effect', async () => {
  // JSON in JSON: the record too has what attacks in it.
  const texts = Object.values(hostileTexts).filter(text => !/[\n\ud800-\udfff]/.test(text));
  expect(texts.length).toBeGreaterThan(20);
  const opened = await openLog(texts.map(text => `${JSON.stringify({user: text})} ${text}`));
  opened.press('v', 'g', 'Down', 'Enter');
  for (let index = 0; index < texts.length; index++) {
    const stamp = `2026-11-21T14:00:${String(index).padStart(2, '0')}.000000000Z`;
    const rows = await opened.waitFor(now => now[2]?.startsWith(` ${stamp} `) === true, {what: stamp});
    expect(rows.join('\n')).toMatch(/\n (?:As received|JSON) {2}/);
    expect(rows.at(-1)).toMatch(/^ Esc back to the log/);
    opened.press('Right');
  }
  await opened.waitFor('no more lines below');
  // The program itself asks for the background, once and at its start, and links lead where their text says.
  const {oscs, ...others} = opened.events;
  expect(others).toEqual({titles: [], bells: [], replies: []});
  expect([...new Set(oscs)]).toEqual(['11;?', '8;;https://evil.example', '8;;', '8;;https://bank.example']);
  // It closes what is open, then the program.
  opened.press('q');
  opened.press('q');
  expect(await opened.exitCode()).toBe(0);
});

test('a trace is folded to one row, and opened whole', async () => {
  const opened = await openLog([
    'calm',
    'PHP Fatal error:  Uncaught Error: no such method in /srv/app/cart.php:41',
    'Stack trace:',
    '#0 /srv/app/index.php(12): checkout()',
    '#1 {main}',
    '  thrown in /srv/app/cart.php on line 41',
    'calm again',
  ]);
  await opened.waitFor('#1 {main}');
  opened.press('z');
  const folded = await opened.waitFor('⋮ 4 more lines of the trace');
  expect(folded.slice(2, 7).map(row => row.slice(0, 43).trimEnd())).toEqual([
    expect.stringContaining('── the service held nothing older'),
    '   14:00:00 calm',
    ' ✗ 14:00:01 PHP Fatal error  Uncaught Error',
    '            ⋮ 4 more lines of the trace',
    '   14:00:06 calm again',
  ]);
  opened.press('v', 'Up', 'Enter');
  const whole = await opened.waitFor(' Trace  4 lines');
  expect(whole.slice(whole.indexOf(' Trace  4 lines')).slice(0, 6)).toEqual([
    ' Trace  4 lines',
    '   Stack trace:',
    '   #0 /srv/app/index.php(12): checkout()',
    '   #1 {main}',
    '     thrown in /srv/app/cart.php on line 41',
    '',
  ]);
  opened.press('Esc', 'Esc', 'z');
  await opened.waitFor('#1 {main}');
});
