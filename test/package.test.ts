import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {longTests, slowTests} from '../vitest.config.ts';

type Package = {
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly dependencies?: unknown;
};

const {bin, files, scripts, devDependencies, dependencies} = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as Package;

test('the package holds the launcher and what the launcher loads, and is built before it is packed', () => {
  const launcher = bin.branchlog ?? '';
  const loaded = [...readFileSync(launcher, 'utf8').matchAll(/'\.\.\/([^/']+)\/[^']+'/g)].map(([, folder]) => folder);
  expect(loaded).toContain('dist');
  // Installed, the Node that package.json names lies beside the package, or is not there.
  const needed = [launcher.split('/')[0], ...loaded.filter(folder => folder !== '..' && folder !== 'node_modules')];
  expect(files.map(path => path.split('/')[0])).toEqual(expect.arrayContaining(needed));
  // The executable is built beside them, and is a hundred times as large.
  expect(files).not.toContain('dist');
  expect(scripts.prepack).toContain('build');
});

test('an installation brings no packages along: all of them are in the bundle', () => {
  expect(dependencies).toBeUndefined();
});

test('.node-version names the Node that npm ci brings along', () => {
  expect(readFileSync('.node-version', 'utf8').trim()).toBe(devDependencies.node);
});

test('coverage is measured by the version that fits vitest', () => {
  expect(devDependencies['@vitest/coverage-v8']).toBe(devDependencies.vitest);
});

test('whatever test:fast leaves out is there', () => {
  expect([...slowTests, ...longTests].filter(glob => globSync(glob).length === 0)).toEqual([]);
});
