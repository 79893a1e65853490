import {expect, test} from 'vitest';
import {readNamedFilters} from '../../../src/cli/memory/filter-memory.ts';

test('a filter of the config file that is no pattern is refused with its place', () => {
  const named = new Map([['noise', ['-GET /healthz', '-re:(']]]);
  expect(() => readNamedFilters({place: '/etc/config.toml: filters', named})).toThrow(
    /^\/etc\/config\.toml: filters\.noise: /,
  );
});
