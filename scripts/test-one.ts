/**
 * Runs the tests that match a name: the test files whose path contains it, or else the tests whose name contains it.
 * Run by `npm run test:one -- NAME`.
 */
import {spawnSync} from 'node:child_process';
import {globSync, readFileSync} from 'node:fs';

const [name, ...others] = process.argv.slice(2);
if (name === undefined || others.length > 0) {
  console.error("Give one name: npm run test:one -- NAME. NAME is a part of a path under test/, or of a test's name.");
  process.exit(2);
}

const files = globSync('test/**/*.test.{ts,tsx}');
const byPath = files.filter(path => path.includes(name));
// A generated name (test.each, describe) is not in any file as text: then run all files.
const byText = files.filter(path => readFileSync(path, 'utf8').includes(name));
const wanted =
  byPath.length > 0 ? byPath : ['--testNamePattern', name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ...byText];

const {status} = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'all', ...wanted], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
