import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parse} from 'yaml';
import packageJson from '../package.json' with {type: 'json'};
import packageLock from '../package-lock.json' with {type: 'json'};
import {cutChangelog, entriesOf, isNewer, versionsIn, withVersion} from '../scripts/release-files.ts';
import {createTempFolder} from './support/temp-folder.ts';

const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- New.\n\n## 0.1.0 - 2026-11-21\n\n- Old.\n';

test('a release takes what is unreleased in the changelog, with its date, and leaves room for what comes', () => {
  const cut = cutChangelog(changelog, '0.2.0', '2026-11-24');
  expect(cut).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-24\n\n### Added\n\n- New.\n\n## 0.1.0 - 2026-11-21\n\n- Old.\n',
  );
  expect([entriesOf(cut, '0.2.0'), entriesOf(cut, '0.1.0')]).toEqual(['### Added\n\n- New.\n', '- Old.\n']);
  expect(() => cutChangelog(cut, '0.3.0', '2026-11-25')).toThrow('CHANGELOG.md has nothing under "## Unreleased"');
  expect(() => entriesOf(cut, '0.3.0')).toThrow('CHANGELOG.md has no heading for 0.3.0');
});

test('a release renames files and images, and leaves versions of others', () => {
  const text = 'branchlog_0.1.0_amd64.deb branchlog-0.1.0.tgz branchlog:0.1.0 with Node 24.21.0 and shop 0.1.0';
  expect(withVersion(text, '0.2.0')).toBe(
    'branchlog_0.2.0_amd64.deb branchlog-0.2.0.tgz branchlog:0.2.0 with Node 24.21.0 and shop 0.1.0',
  );
  expect([
    isNewer('0.2.0', '0.1.9'),
    isNewer('0.10.0', '0.9.0'),
    isNewer('0.1.0', '0.1.0'),
    isNewer('0.1.9', '1.0.0'),
  ]).toEqual([true, true, false, false]);
});

test('no file names another version than package.json, and the newest release in the changelog is that', () => {
  const {version} = packageJson;
  expect([packageLock.version, packageLock.packages[''].version]).toEqual([version, version]);
  const named = execFileSync('git', ['grep', '-lE', 'branchlog[-_:@ ][0-9]', '--', ':!test', ':!CHANGELOG.md'], {
    encoding: 'utf8',
  });
  const paths = named.trim().split('\n');
  expect(paths).toEqual(
    expect.arrayContaining(['docs/install.md', 'docs/kubernetes/deployment.yaml', 'man/branchlog.1']),
  );
  const others = paths.flatMap(path =>
    versionsIn(readFileSync(path, 'utf8')).flatMap(each => (each === version ? [] : [`${path}: ${each}`])),
  );
  expect(others).toEqual([]);
  expect(/^## (\d\S*) - /m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]).toBe(version);
});

test('a release is refused, and nothing is changed, for a version that does not follow and for a dirty checkout', () => {
  const folder = createTempFolder('release');
  onTestFinished(() => folder.remove());
  const git = (...args: readonly string[]): string => execFileSync('git', args, {cwd: folder.path, encoding: 'utf8'});
  git('init', '--quiet');
  writeFileSync(join(folder.path, 'notes'), 'not committed');
  const release = (...args: readonly string[]) => {
    const script = join(import.meta.dirname, '../scripts/release.ts');
    const {status, stderr} = spawnSync(process.execPath, [script, ...args], {cwd: folder.path, encoding: 'utf8'});
    return `${status} ${stderr}`;
  };
  expect(release('9.0')).toBe('1 not released: give one version, like `npm run release -- 1.2.3`\n');
  expect(release('0.0.1')).toBe(
    `1 not released: 0.0.1 does not follow ${packageJson.version}, the version in package.json\n`,
  );
  expect(release('99.0.0')).toBe('1 not released: commit these changes, or take them back:\n?? notes\n');
  expect(git('tag', '--list')).toBe('');
});

type Job = {readonly permissions?: Record<string, string>; readonly steps: readonly {readonly uses?: string}[]};
type Workflow = {readonly permissions: Record<string, string>; readonly jobs: Readonly<Record<string, Job>>};

test.each(['ci', 'release'])(
  'the workflow %s pins its actions, reads only, and where it may write, it builds nothing',
  name => {
    const {permissions, jobs}: Workflow = parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8'));
    expect(permissions).toEqual({contents: 'read'});
    const actions = Object.values(jobs).flatMap(({steps}) => steps.flatMap(({uses}) => uses ?? []));
    expect(actions.filter(action => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const writing = Object.entries(jobs).filter(([, job]) => Object.values(job.permissions ?? {}).includes('write'));
    expect(writing.map(([job]) => job)).toEqual(name === 'release' ? ['publish'] : []);
    expect(JSON.stringify(writing)).not.toMatch(/npm|checkout/);
  },
);
