/**
 * Makes a release from a clean checkout: `npm run release -- VERSION`. Sets the version in all files that name it, cuts the
 * changelog, makes man pages, tables and pictures, runs all checks, builds executable and packages, commits and tags.
 * Pushes nothing. If something fails, the files are again those of the last commit.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import packageJson from '../package.json' with {type: 'json'};
import {cutChangelog, isNewer, withVersion} from './release-files.ts';

const git = (...args: readonly string[]): string => execFileSync('git', args, {encoding: 'utf8'}).trim();
const fail = (sentence: string): never => {
  console.error(`not released: ${sentence}`);
  process.exit(1);
};

const [version = '', ...others] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version) || others.length > 0) {
  fail('give one version, like `npm run release -- 1.2.3`');
}
if (!isNewer(version, packageJson.version)) {
  fail(`${version} does not follow ${packageJson.version}, the version in package.json`);
}
const changes = git('status', '--porcelain');
if (changes !== '') {
  fail(`commit these changes, or take them back:\n${changes}`);
}
const tag = `v${version}`;
if (git('tag', '--list', tag) !== '') {
  fail(`the tag ${tag} is there already`);
}
const tools = {'dpkg-deb': 'dpkg', strip: 'binutils', xz: 'xz-utils', lintian: 'lintian', find: 'findutils'};
for (const [tool, debianPackage] of Object.entries(tools)) {
  if (spawnSync(tool, ['--version']).error !== undefined) {
    fail(`needs \`${tool}\`, of the package ${debianPackage}`);
  }
}

/** The packages bear the time of the commit, which is made after them. */
const epochSeconds = Math.floor(Date.now() / 1000);
const env = {
  ...process.env,
  SOURCE_DATE_EPOCH: String(epochSeconds),
  GIT_AUTHOR_DATE: `${epochSeconds} +0000`,
  GIT_COMMITTER_DATE: `${epochSeconds} +0000`,
};
const run = (command: string, ...args: readonly string[]): void => {
  console.log(`\n> ${[command, ...args].join(' ')}`);
  const {status, error} = spawnSync(command, args, {stdio: 'inherit', env});
  if (status !== 0) {
    throw error ?? new Error(`\`${[command, ...args].join(' ')}\` ended with ${status}`);
  }
};
const change = (path: string, to: (text: string) => string): void => {
  writeFileSync(path, to(readFileSync(path, 'utf8')));
};

try {
  change('CHANGELOG.md', text => cutChangelog(text, version, new Date(epochSeconds * 1000).toISOString().slice(0, 10)));
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
  for (const path of git('grep', '-lE', 'branchlog[-_:@ ][0-9]', '--', 'README.md', 'SECURITY.md', 'docs').split(
    '\n',
  )) {
    change(path, text => withVersion(text, version));
  }
  run('npm', 'run', 'readme');
  run('npm', 'run', 'man');
  run('npm', 'run', 'pictures');
  run('npm', 'run', 'test:all');
  run('npm', 'run', 'test:executable');
  run('npm', 'run', 'package');
  run('sh', '-c', 'lintian --fail-on error,warning dist/packages/*.deb');
  run('git', 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', '--message', `branchlog ${version}`, tag);
} catch (error) {
  git('checkout', '--quiet', '--', '.');
  fail(`${error instanceof Error ? error.message : error}; the files are as they were`);
}
console.log(`
Committed and tagged ${tag}. The packages are in dist/packages. What is left:

  git show ${tag}                            look at the commit once more
  git push --atomic origin HEAD ${tag}       the workflow "release" builds, tests, attests and publishes
  npm publish dist/packages/branchlog-${version}.tgz
`);
