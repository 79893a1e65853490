import {execFile} from 'node:child_process';
import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import packageJson from '../package.json' with {type: 'json'};
import {hostileEnv} from '../scripts/hostile-env.ts';
import {packageNames, readSourceDate, releaseNames} from '../scripts/package-files.ts';
import {createTempFolder} from './support/temp-folder.ts';

const run = promisify(execFile);

/** As `npm run test:reproducible` sees to with two whole builds; this is one, of an executable that is quickly packed. */
test('what a package holds is of root, with our modes and the time of the commit, whatever the surroundings are', async () => {
  const folder = createTempFolder('packages');
  onTestFinished(() => folder.remove());
  const executable = join(folder.path, 'program');
  const target = join(folder.path, 'a second place');
  writeFileSync(executable, '#!/bin/sh\necho "completion for $2"\n', {mode: 0o755});
  const args = ['-c', 'umask 077 && exec "$0" "$@"', process.execPath, 'scripts/package.ts'];
  await run('sh', [...args, '--executable', executable, '--to', target], {
    env: {
      ...process.env,
      // What is packed for npm is built already.
      npm_config_ignore_scripts: 'true',
      SOURCE_DATE_EPOCH: '1767225600',
      ...hostileEnv,
    },
  });
  const {version} = packageJson;
  const {deb, tarball} = packageNames(version, process.arch);
  const names = [...Object.values(releaseNames(version)), deb, tarball];
  expect(readdirSync(target).sort()).toEqual(names.sort());
  const [{stdout: ofDeb}, {stdout: ofTarball}] = await Promise.all([
    run('dpkg-deb', ['--contents', join(target, deb)], {env: {...process.env, TZ: 'UTC'}}),
    run('tar', ['-tvJf', join(target, tarball)], {env: {...process.env, TZ: 'UTC'}}),
  ]);
  const entries = `${ofDeb}${ofTarball}`.trimEnd().split('\n');
  expect(entries.length).toBeGreaterThan(30);
  // Mode, owner, size, date, time and name.
  const differing = entries.filter(
    entry =>
      !/^(?:drwxr-xr-x|-rw-r--r--|-rwxr-xr-x(?=.*bin\/branchlog$)) (?:root\/root|0\/0) +\d+ 2026-01-01 00:00 /.test(
        entry,
      ),
  );
  expect(differing).toEqual([]);
  // Unpacked over ~/.local, a folder that is an entry would take its mode from the tarball.
  expect(ofTarball.split('\n').filter(entry => entry.startsWith('d'))).toEqual([]);
}, 180_000);

test('packages bear the time of SOURCE_DATE_EPOCH, or else that of the commit', () => {
  expect(readSourceDate({SOURCE_DATE_EPOCH: '1767225600'})).toBe(1_767_225_600);
  expect(readSourceDate({})).toBeGreaterThan(1_700_000_000);
  expect(() => readSourceDate({SOURCE_DATE_EPOCH: 'yesterday'})).toThrow(
    'SOURCE_DATE_EPOCH: expected seconds since 1970, got "yesterday"',
  );
});
