import {expect, test} from 'vitest';
import {createSourcePrefix} from '#cli/logs/logs.ts';
import type {SourceName} from '#log/line/entry.ts';
import {chooseTheme} from '#ui/theme.ts';

test.each<[SourceName | undefined, string]>([
  [{pod: 'web-1', container: 'php', stream: 'stderr'}, '[web-1/php] '],
  [{pod: 'web-1'}, '[web-1] '],
  [{container: 'php'}, '[/php] '],
  [{stream: 'stderr'}, ''],
  [undefined, ''],
  [{pod: 'we\u001b[2Jb', container: 'p\u202ehp'}, '[we␛b/p\ufffdhp] '],
])('before a line of %j stands %j', (source, prefix) => {
  expect(createSourcePrefix(undefined)(source)).toBe(prefix);
});

test('on a terminal each pod has a colour of its own, the same for all its containers', () => {
  const prefixOf = createSourcePrefix(chooseTheme({name: 'dark', colours: 256, backdrop: undefined}));
  const [one, two, three] = [
    prefixOf({pod: 'web-1', container: 'a'}),
    prefixOf({pod: 'web-1', container: 'b'}),
    prefixOf({pod: 'web-2', container: 'a'}),
  ];
  const colourOf = (prefix: string) => prefix.slice(0, prefix.indexOf('[' + 'web'));
  expect(one).toContain('[web-1/a]');
  expect(colourOf(one)).toBe(colourOf(two));
  expect(colourOf(one)).not.toBe(colourOf(three));
});
