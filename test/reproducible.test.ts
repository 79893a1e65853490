import {execFile} from 'node:child_process';
import {globSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import packageJson from '../package.json' with {type: 'json'};
import {packageNames, releaseNames} from '../scripts/package-files.ts';
import {readSourceDate} from '../scripts/source-date.ts';
import {createTempFolder} from './support/temp-folder.ts';

const run = promisify(execFile);

// A dozen processes, of seconds each.
test('packages made twice are the same bytes, whatever the time zone, the language, the umask and the tools’ options', async () => {
  const folder = createTempFolder('packages');
  onTestFinished(() => folder.remove());
  const executable = join(folder.path, 'program');
  writeFileSync(executable, '#!/bin/sh\necho "completion for $2"\n', {mode: 0o755});
  const pack = async (name: string, umask: string, env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, Buffer>> => {
    const target = join(folder.path, name);
    const args = ['-c', `umask ${umask} && exec "$0" "$@"`, process.execPath, 'scripts/package.ts'];
    await run('sh', [...args, '--executable', executable, '--to', target], {
      // What is packed for npm is built already.
      env: {...process.env, npm_config_ignore_scripts: 'true', ...env},
    });
    return new Map(globSync('*', {cwd: target}).map(file => [file, readFileSync(join(target, file))]));
  };
  const [first, second] = await Promise.all([
    pack('first', '022', {TZ: 'UTC', LC_ALL: 'C'}),
    pack('second place', '077', {
      ...{TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', TAR_OPTIONS: '--mode=a+w', GZIP: '-1', XZ_OPT: '-0'},
      ...{XZ_DEFAULTS: '-0', DPKG_DEB_COMPRESSOR_LEVEL: '1', DPKG_DEB_COMPRESSOR_TYPE: 'gzip'},
    }),
  ]);
  const {version} = packageJson;
  const names = [...Object.values(releaseNames(version)), ...Object.values(packageNames(version, process.arch))];
  expect([...first.keys()].sort()).toEqual(names.sort());
  const different = names.filter(name => !first.get(name)?.equals(second.get(name) ?? Buffer.of()));
  expect(different).toEqual([]);
}, 180_000);

test('packages bear the time of SOURCE_DATE_EPOCH, or else that of the commit', () => {
  expect(readSourceDate({SOURCE_DATE_EPOCH: '1767225600'})).toBe(1_767_225_600);
  expect(readSourceDate({})).toBeGreaterThan(1_700_000_000);
  expect(() => readSourceDate({SOURCE_DATE_EPOCH: 'yesterday'})).toThrow(
    'SOURCE_DATE_EPOCH: expected seconds since 1970, got "yesterday"',
  );
});
