import {chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {executable} from '../support/built-program.ts';
import type {PtyProgramOptions} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {type SampleService, sampleToken, startSampleService} from './sample-service.ts';

const repository = join(import.meta.dirname, '../..');

let service: SampleService;
let folder: TempFolder;
beforeEach(async () => {
  service = await startSampleService();
  folder = createTempFolder('start-up');
});
afterEach(async () => {
  await service.close();
  folder.remove();
});

/** What is true of the program as npm installs it. */
const ofPackage = test.skipIf(executable !== undefined);

/** Opens the sites and quits again. */
const openSites = async (options: PtyProgramOptions = {}): Promise<void> => {
  const program = service.open(options);
  await program.waitFor('showroom');
  program.press('q');
  expect(await program.exitCode()).toBe(0);
};

/** Says its version, with a cache of compiled code that Node itself was not told of. */
const startWithCache = async (cache: string): Promise<void> => {
  const env = {NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache};
  const program = service.open({args: ['--version'], cwd: folder.path, env});
  expect(await program.exitCode()).toBe(0);
};

const loadedBy = async (run: (options: PtyProgramOptions) => Promise<void>) => {
  const recorded = join(folder.path, 'loaded.json');
  const hook = join(import.meta.dirname, 'fixtures/record-loading.ts');
  await run({env: {NODE_OPTIONS: `--no-warnings --import ${hook}`, LOADED_MODULES: recorded}});
  const {files, builtins}: {files: string[]; builtins: string[]} = JSON.parse(readFileSync(recorded, 'utf8'));
  const ours = (urls: readonly string[]): readonly string[] =>
    urls.filter(url => url.includes('/dist/')).map(url => fileURLToPath(url));
  expect(files).toContain('a frame');
  return {
    files: ours(files),
    beforeFirstFrame: ours(files.slice(0, files.indexOf('a frame'))),
    builtins: builtins.map(name => name.replace(/^\S*(?:Module|Binding) /, '')),
  };
};

/** Words of each package that stay in the bundle. */
const markOf = {
  ink: 'ink-box',
  react: 'react.memo',
  got: 'sindresorhus/got',
  service: 'There is no such path: operations are below',
  re2js: 'RE2JSException',
  agentProtocol: 'notifications/cancelled',
  yogaAsBase64: 'AGFzbQEAAAAB',
};

const packagesIn = (paths: readonly string[]): string[] => {
  const text = paths.map(path => readFileSync(path, 'utf8')).join('\n');
  return Object.entries(markOf).flatMap(([name, mark]) => (text.includes(mark) ? name : []));
};

ofPackage(
  'the first rows need few files, and neither Ink nor React; the first screen no HTTP client, no service, no patterns, and few files',
  async () => {
    const {files, builtins, beforeFirstFrame} = await loadedBy(openSites);
    expect(beforeFirstFrame.length).toBeGreaterThan(1);
    expect(beforeFirstFrame.length).toBeLessThanOrEqual(5);
    expect(packagesIn(beforeFirstFrame)).toEqual([]);
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThanOrEqual(8);
    expect(packagesIn(files)).toEqual(['ink', 'react']);
    expect(builtins).toContain('tty');
    for (const name of ['http', 'https', 'tls', 'http2', 'zlib', 'crypto', 'assert', 'internal/deps/undici/undici']) {
      expect(builtins).not.toContain(name);
    }
  },
);

ofPackage('a site loads the HTTP client too, after the first frame, without HTTP/2, and still no service', async () => {
  const {files, builtins, beforeFirstFrame} = await loadedBy(async options => {
    const program = service.open({...options, args: ['shop']});
    await program.waitFor(/● master/);
    program.press('q');
    expect(await program.exitCode()).toBe(0);
  });
  expect(beforeFirstFrame.length).toBeGreaterThan(1);
  expect(packagesIn(beforeFirstFrame)).toEqual([]);
  expect(packagesIn(files)).toEqual(['ink', 'react', 'got']);
  expect(builtins).toContain('https');
  expect(builtins).not.toContain('http2');
  expect(builtins).not.toContain('internal/deps/undici/undici');
});

ofPackage('runs from another place, with nothing but what is packed', async () => {
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(repository, part), join(folder.path, part), {recursive: true});
  }
  await openSites({command: process.execPath, args: [join(folder.path, 'bin/branchlog.js')]});
});

ofPackage('what Node compiled is kept in the user’s cache, and does not pile up', async () => {
  const cache = join(folder.path, 'cache');
  await openSites({env: {NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache}});
  const list = (): string[] => readdirSync(join(cache, 'branchlog'), {recursive: true}).map(String).sort();
  const kept = list();
  expect(kept.length).toBeGreaterThan(2);
  await openSites({env: {NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache}});
  expect(list()).toEqual(kept);
  for (const path of kept.map(name => join(cache, 'branchlog', name)).filter(path => statSync(path).isFile())) {
    expect(statSync(path).mode & 0o077).toBe(0);
  }
});

test('a cache that cannot be written changes nothing', async () => {
  const cache = join(folder.path, 'cache');
  cpSync(join(repository, 'package.json'), cache);
  await startWithCache(cache);
});

ofPackage('a cache that others may have written is not used: its code would run as the user', async () => {
  const open = join(folder.path, 'open');
  mkdirSync(join(open, 'branchlog'), {recursive: true});
  chmodSync(join(open, 'branchlog'), 0o777);
  const linked = join(folder.path, 'linked');
  mkdirSync(linked);
  mkdirSync(join(folder.path, 'elsewhere'));
  symlinkSync(join(folder.path, 'elsewhere'), join(linked, 'branchlog'));
  for (const cache of [open, linked]) {
    await startWithCache(cache);
    expect(readdirSync(join(cache, 'branchlog'))).toEqual([]);
  }
  const own = join(folder.path, 'own');
  mkdirSync(own);
  await startWithCache(own);
  expect(readdirSync(join(own, 'branchlog'))).not.toEqual([]);
});

test('with /proc as its home it starts, and says once that it remembers nothing', async () => {
  const program = service.open({
    env: {
      NODE_COMPILE_CACHE: undefined,
      HOME: '/proc',
      XDG_CACHE_HOME: '',
      XDG_STATE_HOME: '',
      BRANCHLOG_TOKEN: sampleToken,
    },
  });
  await program.waitFor('showroom');
  program.press('Enter');
  await program.waitFor('/proc/.local/state');
  program.press('q');
  expect(await program.exitCode()).toBe(0);
});

test('a cache named by a relative path is none', async () => {
  await startWithCache('cache');
  expect(existsSync(join(folder.path, 'cache'))).toBe(false);
});

test.skipIf(executable === undefined)(
  'V8 accepts the code caches of the executable, early and late: a rejected one makes a start slower, silently',
  async () => {
    const program = service.open({env: {BRANCHLOG_CODE_CACHE: 'tell'}});
    await program.waitFor('showroom');
    // By now a flag of V8's is set that the program sets for long runs.
    await waitFor(() => program.output().includes('cache accepted: heap-keeper'), {what: 'the heap keeper'});
    program.press('Enter');
    await program.waitFor(/● master/);
    const caches: readonly string[] = program.output().match(/code cache \w+: [\w-]+/g) ?? [];
    const late = caches.slice(caches.indexOf('code cache accepted: heap-keeper') + 1);
    expect(caches).toContain('code cache accepted: draw-app');
    expect(late.length).toBeGreaterThan(1);
    expect(caches.filter(line => !line.startsWith('code cache accepted'))).toEqual([]);
    program.press('q');
    expect(await program.exitCode()).toBe(0);
  },
);
