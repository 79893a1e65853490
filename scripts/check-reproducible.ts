/**
 * Builds HEAD twice, executable and packages, in two folders with different time zones, languages, umasks, options of
 * tools and, if `faketime` is installed, dates, and compares all files. Run by `npm run test:reproducible`; it takes
 * some minutes.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {globSync, mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {hostileEnv} from './hostile-env.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'branchlog-reproducible-')));
const hasFaketime = spawnSync('faketime', ['--version']).error === undefined;
const builds = [
  {place: 'one', umask: 0o022, env: {TZ: 'UTC', LC_ALL: 'C'}, date: undefined},
  {place: 'a second place', umask: 0o077, env: hostileEnv, date: '+400 days'},
];
/** One commit for both, whatever is committed meanwhile. */
const commit = execFileSync('git', ['rev-parse', 'HEAD'], {encoding: 'utf8'}).trim();
const command = 'npm run --silent build:executable && npm run --silent package';

/** Builds in a clone. Returns the files to compare, by path. */
const build = ({place, umask, env, date}: (typeof builds)[number]): ReadonlyMap<string, Buffer> => {
  const folder = join(top, place);
  process.umask(umask);
  execFileSync('git', ['clone', '--quiet', process.cwd(), folder]);
  execFileSync('git', ['checkout', '--quiet', '--detach', commit], {cwd: folder});
  // The packages of the lockfile, as they are here: nothing is downloaded.
  execFileSync('cp', ['-a', 'node_modules', folder]);
  const shell = ['sh', '-c', command];
  const [program = '', ...args] = date !== undefined && hasFaketime ? ['faketime', '-f', date, ...shell] : shell;
  execFileSync(program, args, {cwd: folder, env: {...process.env, ...env}, stdio: ['ignore', 'inherit', 'inherit']});
  const paths = globSync(['dist/packages/*', 'dist/executable*/branchlog', 'man/*'], {cwd: folder});
  const files = new Map(paths.map(path => [path, readFileSync(join(folder, path))]));
  rmSync(folder, {recursive: true});
  return files;
};

try {
  const [first = new Map<string, Buffer>(), second = new Map<string, Buffer>()] = builds.map(build);
  const paths = [...new Set([...first.keys(), ...second.keys()])].sort();
  const different = paths.filter(path => !first.get(path)?.equals(second.get(path) ?? Buffer.of()));
  for (const path of paths) {
    console.log(`${different.includes(path) ? 'DIFFERENT' : 'same'}  ${path}`);
  }
  console.log(hasFaketime ? 'the dates differed, too' : 'on one date: for another, install faketime');
  process.exitCode = different.length === 0 && paths.length > 0 ? 0 : 1;
} finally {
  rmSync(top, {recursive: true, force: true});
}
