import {afterEach, beforeEach, expect, test} from 'vitest';
import {laterWindow} from './sample-log.ts';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService({extraSites: ['café']});
  service.setWindow(laterWindow);
});
afterEach(() => service.close());

test('with LC_ALL=C no screen has a byte above ASCII', async () => {
  const program = service.open({env: {LC_ALL: 'C', LANG: 'en_GB.UTF-8'}});
  await program.waitFor('caf?');
  program.press('Enter');
  await program.waitFor('x staging');
  program.press('/', 'master');
  await program.waitFor('/ master#');
  program.press('Enter');
  await program.waitFor('x 14:05:12');
  program.press('I');
  await program.waitFor('CANNOT TELL');
  program.press('q', '?');
  await program.waitFor('Find and filter');
  // `<` is another key.
  await program.waitFor('Left             scroll left');
  program.press('q', 'q');
  expect(await program.exitCode()).toBe(0);
  expect(program.output()).not.toMatch(/\P{ASCII}/u);
});
