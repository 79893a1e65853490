import {afterEach, beforeEach, expect, test} from 'vitest';
import type {PtyProgram} from '../support/pty-program.ts';
import {laterWindow} from './sample-log.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
  service.setWindow(laterWindow);
});
afterEach(() => service.close());

/** The parameters of SGR that choose a colour (ECMA-48, 8.3.117, and the bright ones of aixterm), as far as they were written. */
const coloursOf = (program: PtyProgram): readonly number[] =>
  [...program.output().matchAll(/\u001b\[([\d;:]*)m/g)]
    .flatMap(([, parameters = '']) => parameters.split(/[;:]/).map(Number))
    .filter(parameter => (parameter >= 30 && parameter <= 49) || (parameter >= 90 && parameter <= 107));

const env = {NO_COLOR: '1'};

test('with NO_COLOR the screens have no colour, and without it they have', async () => {
  const plain = service.open({env});
  await plain.waitFor('shop');
  plain.press('Enter');
  await plain.waitFor('master');
  plain.press('/', 'master');
  await plain.waitFor('/ master█');
  plain.press('Enter');
  await plain.waitFor('14:05:14');
  plain.press('q');
  expect(await plain.exitCode()).toBe(0);
  expect(coloursOf(plain)).toEqual([]);
  // Nor is the terminal asked for its background.
  expect(plain.events.oscs).toEqual([]);
  const coloured = service.open({args: ['shop']});
  await coloured.waitFor('master');
  await coloured.waitFor(() => coloured.events.oscs.includes('11;?'), {what: 'the question for the background'});
  expect(coloursOf(coloured).length).toBeGreaterThan(0);
});

test.each([
  ['branches', 'shop'],
  ['logs', 'shop', 'master'],
])('with NO_COLOR branchlog %s %s prints no control sequence to a terminal', async (...args) => {
  const program = service.open({args, env});
  expect(await program.exitCode()).toBe(0);
  expect(program.output()).toContain(args[0] === 'logs' ? '/checkout' : 'master');
  expect(program.output()).not.toContain('\u001b');
});
