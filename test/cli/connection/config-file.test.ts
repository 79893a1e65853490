import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {hasConfigFile} from '#cli/connection/read-settings.ts';
import {keymapFaults, readKeymap} from '#cli/connection/screen-settings.ts';
import {processIo} from '#cli/io/io.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

test.each<readonly [words: readonly string[], env: Readonly<Record<string, string>>, isThere: boolean, has: boolean]>([
  [[], {}, true, true],
  [[], {}, false, false],
  [['--config', '/none'], {}, false, true],
  [['--context', 'none'], {}, false, true],
  [[], {BRANCHLOG_CONFIG: '/none'}, false, true],
  [[], {BRANCHLOG_CONTEXT: 'none'}, false, true],
  [[], {BRANCHLOG_CONFIG: '', BRANCHLOG_CONTEXT: ''}, false, false],
])('with %j, %j and a file: %j, there is a config: %j', (words, env, isThere, has) => {
  const home = createTempFolder('config');
  onTestFinished(() => home.remove());
  if (isThere) {
    mkdirSync(join(home.path, '.config', 'branchlog'), {recursive: true});
    writeFileSync(join(home.path, '.config', 'branchlog', 'config.toml'), '');
  }
  const io = {...processIo(home.path), homeFolder: home.path, env};
  expect(hasConfigFile(parseArguments(['branches', 'shop', ...words]), io)).toBe(has);
});

test('keys that cannot be bound are all told', () => {
  const bindings = (keys: Readonly<Record<string, readonly string[]>>) =>
    ({keys: {place: 'config.toml', bindings: new Map(Object.entries(keys))}}) as never;
  expect(keymapFaults(bindings({}))).toEqual([]);
  expect(readKeymap(bindings({})).length).toBeGreaterThan(10);
  const wrong = bindings({nonsense: ['x'], rubbish: ['y']});
  expect(keymapFaults(wrong)).toHaveLength(2);
  expect(() => readKeymap(wrong)).toThrow(keymapFaults(wrong).join('; '));
});
