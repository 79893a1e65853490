import {expect, test} from 'vitest';
import {readNotifyRules} from '#cli/connection/screen-settings.ts';
import {defaultNotifySettings} from '#config/settings/sections.ts';

test.each([
  ['nothing is asked for', {}, false],
  ['a pattern, but nothing that tells of it', {pattern: 'ERROR'}, false],
  ['a bell, but nothing to tell of', {bell: true}, false],
  ['a bell for a pattern', {bell: true, pattern: 'ERROR'}, true],
  ['a notification of the first error', {osc9: true, firstError: true}, true],
  ['a command for the first error', {command: ['page-me'], firstError: true}, true],
])('%s: %o calls the user: %s', async (_, change, calls) => {
  expect((await readNotifyRules({...defaultNotifySettings, ...change})) !== undefined).toBe(calls);
});

test.each(['error', 're:err(or)+'])('the pattern %s finds what it would find in a search', async pattern => {
  const rules = await readNotifyRules({...defaultNotifySettings, bell: true, pattern});
  expect([rules?.matches?.('an Error'), rules?.matches?.('fine')]).toEqual([true, false]);
});
