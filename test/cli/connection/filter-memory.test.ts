import {expect, onTestFinished, test} from 'vitest';
import {openFilterMemory, readNamedFilters} from '#cli/connection/screen-settings.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const place = '/etc/config.toml: filters';

test('a filter of the config file that is no pattern is refused with its place', () => {
  const named = new Map([['noise', ['-GET /healthz', '-re:(']]]);
  expect(() => readNamedFilters({place, named})).toThrow(/^\/etc\/config\.toml: filters\.noise: /);
  // The sign before a pattern is none of it.
  expect(readNamedFilters({place, named: new Map([['noise', ['-(', '+re:a+']]])})).toEqual([
    {name: 'noise', filters: ['-(', '+re:a+'], isConfigured: true},
  ]);
});

test('filters of the config file stand for kept ones of the same name', async () => {
  const folder = createTempFolder('filters');
  onTestFinished(folder.remove);
  const none = await openFilterMemory({place, named: new Map()}, folder.path);
  expect([none.named, none.notice]).toEqual([[], undefined]);
  await none.keep('noise', ['-a']);
  await none.keep('errors', ['+b']);
  const {named} = await openFilterMemory({place, named: new Map([['noise', ['-c']]])}, folder.path);
  expect(named.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toMatchObject([
    {name: 'errors', filters: ['+b'], isConfigured: false},
    {name: 'noise', filters: ['-c'], isConfigured: true},
  ]);
});
