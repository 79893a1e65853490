import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {librarySections, renewSections} from '../../scripts/readme-sections.ts';
import {createGrowingLog} from '../support/fake-log.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {fakeToken, startFakeService} from '../support/fake-service.ts';
import {createTempFolder} from '../support/temp-folder.ts';

const folder = createTempFolder('library');
afterAll(() => folder.remove());
const installed = join(folder.path, 'node_modules/branchlog');
const library = join(installed, 'dist/library');

beforeAll(() => {
  // As built for all tests of the program; without npm's own look at the registry. What follows the build is run here.
  execFileSync(process.execPath, ['scripts/prepack.ts'], {stdio: 'inherit'});
  const args = ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', folder.path];
  execFileSync('npm', args, {stdio: ['ignore', 'pipe', 'inherit']});
  const [tarball = ''] = globSync('*.tgz', {cwd: folder.path});
  mkdirSync(installed, {recursive: true});
  execFileSync('tar', ['-xzf', join(folder.path, tarball), '--strip-components=1', '-C', installed]);
  writeFileSync(join(folder.path, 'package.json'), '{"type": "module"}');
});

const samples = [...readFileSync('docs/library.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
const following = samples[0] ?? '';
const proving = samples[1] ?? '';
const merging = samples[2] ?? '';
const judging = samples[3] ?? '';

/** Runs a program in the folder that has branchlog installed. */
const startSample = (name: string, code: string) => {
  writeFileSync(join(folder.path, name), code);
  const child = spawn(process.execPath, [name], {cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe']});
  onTestFinished(() => {
    child.kill();
  });
  let output = '';
  child.stderr.on('data', text => {
    output += text;
  });
  return {
    ended: new Promise<string>(resolve => child.on('close', () => resolve(output))),
    printed: new Promise<string>((resolve, reject) => {
      child.stdout.on('data', text => {
        output += text;
        if (output.includes('last')) {
          resolve(output);
        }
      });
      child.on('close', () => reject(new Error(`ended: ${output}`)));
    }),
    output: () => output,
    interrupt: () => child.kill('SIGINT'),
  };
};

test('the ten lines of docs/library.md follow a log, safe for a terminal', async () => {
  expect(following.split('\n').filter(line => line.trim() !== '')).toHaveLength(10);
  const service = await startFakeService({tenant: 'acme', authMode: 'idp'});
  onTestFinished(() => service.close());
  const log = createGrowingLog();
  log.emit('GET /cart 200', 'title \u001b]0;owned\u0007', 'last');
  service.setBranches('5f3c0a12', [makeBuiltBranch('64a1f0c2', 'master')]);
  service.setLog('64a1f0c2', log.log);
  const tokenFile = join(folder.path, 'token');
  writeFileSync(tokenFile, fakeToken, {mode: 0o600});
  const code = following
    .replace('/home/op/token', tokenFile)
    .replace('https://api.example.com/dev-v1', service.baseUrl);
  const sample = startSample('follow.ts', code);
  sample.printed.catch(() => {});
  expect((await sample.printed).split('\n')).toEqual([
    '2025-01-02T03:04:05.000000000Z GET /cart 200',
    '2025-01-02T03:04:06.000000001Z title ␛',
    '2025-01-02T03:04:07.000000002Z last',
    '',
  ]);
  expect(service.headerViolations()).toEqual([]);
});

test('the program of docs/library.md says who wrote a line and what is proven, and ends on Ctrl+C', async () => {
  const service = await startFakeService({tenant: 'acme', authMode: 'idp'});
  onTestFinished(() => service.close());
  service.setBranches('5f3c0a12', [makeBuiltBranch('64a1f0c2', 'master')]);
  const log = createGrowingLog();
  const [one = '', two = ''] = log.emit('one', 'last');
  const branchlog = (first: number, losses: readonly object[]) => ({
    ...{series: 'a', first, losses, runs: [[first - 1, 1]]},
    sources: [{pod: 'web-1', container: 'php'}, {pod: 'web-2'}],
  });
  service.setLog('64a1f0c2', (_, headers) =>
    headers['branchlog-after'] === undefined
      ? {lines: [one], more: {branchlog: branchlog(1, [])}}
      : headers['branchlog-after'] === 'a:1'
        ? {lines: [two], more: {branchlog: branchlog(2, [{source: 1, number: 2, lines: 7, why: 'it was cut'}])}}
        : {lines: [], more: {branchlog: {...branchlog(3, []), runs: []}}},
  );
  const tokenFile = join(folder.path, 'token');
  writeFileSync(tokenFile, fakeToken, {mode: 0o600});
  const code = proving.replace('/home/op/token', tokenFile).replace('https://api.example.com/dev-v1', service.baseUrl);
  const sample = startSample('proving.ts', code);
  sample.printed.catch(() => {});
  await service.waitForRequests(3, 'logs');
  sample.interrupt();
  const printed = (await sample.ended).split('\n');
  expect(printed[0]).toBe(`web-1/php: ${one}`);
  expect(printed[1]).toBe('this is proven');
  expect(printed[2]).toMatch(/^possible gap in web-2, .*it was cut: 7 lines missing \(lines missing: 7\)$/);
  expect(printed.slice(3)).toEqual([`web-2/unknown container: ${two}`, 'this is proven', '']);
  expect(service.headerViolations()).toEqual([]);
});

test('the engine alone prints what docs/library.md says', () => {
  writeFileSync(join(folder.path, 'merge.ts'), merging);
  const printed = execFileSync(process.execPath, ['merge.ts'], {cwd: folder.path, encoding: 'utf8'});
  const [, expected] = /```text\n(.*?)```/s.exec(readFileSync('docs/library.md', 'utf8')) ?? [];
  expect(printed).toBe(expected);
});

test('the engine judges a log as docs/library.md says', () => {
  writeFileSync(join(folder.path, 'judge.ts'), judging);
  const printed = execFileSync(process.execPath, ['judge.ts'], {cwd: folder.path, encoding: 'utf8'});
  expect(printed).toBe('found 0 rise\n');
});

test.each(['nodenext', 'bundler'])('the samples and all declarations pass a strict tsc, resolved as %s', resolution => {
  writeFileSync(join(folder.path, 'samples.ts'), following);
  writeFileSync(join(folder.path, 'proving.ts'), proving);
  writeFileSync(join(folder.path, 'engine.ts'), merging);
  writeFileSync(join(folder.path, 'judge.ts'), judging);
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: 'es2024',
      lib: ['es2024'],
      module: resolution === 'nodenext' ? 'nodenext' : 'preserve',
      moduleResolution: resolution,
      types: ['node'],
      typeRoots: [join(import.meta.dirname, '../../node_modules/@types')],
      // The declarations are looked at as well.
      skipLibCheck: false,
    },
    files: ['samples.ts', 'proving.ts', 'engine.ts', 'judge.ts', join(library, 'types.d.ts')],
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  expect(spawnSync(process.execPath, [tsc, '-p', folder.path], {encoding: 'utf8'})).toMatchObject({
    stdout: '',
    status: 0,
  });
});

test('docs/library.md has the signatures of what the modules export, each with a docstring, and nothing else can be imported', async () => {
  const types = readFileSync(join(library, 'types.d.ts'), 'utf8');
  const document = readFileSync('docs/library.md', 'utf8');
  expect(renewSections('docs/library.md', document, librarySections(library))).toBe(document);
  for (const module of ['api', 'log']) {
    const exported = Object.keys(await import(join(library, `${module}.js`)));
    const [, section = ''] = document.split(`<!-- ${module} -->`);
    for (const name of exported) {
      expect(section).toMatch(new RegExp(`^(?:const|class|function) ${name}\\b`, 'm'));
    }
    const bare = exported.filter(name => !new RegExp(`\\*/\\nexport (?:declare )?\\w+ ${name}\\b`).test(types));
    expect(bare).toEqual([]);
  }
  const inside = startSample('inside.ts', "import 'branchlog/dist/main.js';");
  inside.printed.catch(() => {});
  expect(await inside.ended).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

test('the library needs nothing that Node 22 lacks', () => {
  const code = `
    for (const [holder, names] of [
      [RegExp, ['escape']],
      [Promise, ['try']],
      [Error, ['isError']],
      [Iterator, ['concat']],
      [Math, ['f16round', 'sumPrecise']],
      [Uint8Array, ['fromBase64', 'fromHex']],
      [globalThis, ['Float16Array', 'URLPattern']],
    ]) {
      for (const name of names) delete holder[name];
    }
    const NewRegExp = RegExp;
    globalThis.RegExp = new Proxy(NewRegExp, {
      construct(target, [source, ...rest]) {
        const names = [...String(source).matchAll(/\\(\\?<([A-Za-z]\\w*)>/g)].map(([, name]) => name);
        if (new Set(names).size < names.length) throw new SyntaxError('Duplicate capture group name: ' + source);
        if (/\\(\\?[ims]+(?:-[ims]+)?:/.test(String(source))) throw new SyntaxError('Modifiers: ' + source);
        return Reflect.construct(target, [source, ...rest]);
      },
    });
    await import('branchlog/api');
    const {createBranchLog, levelOf, sanitise, takeWindow} = await import('branchlog/log');
    const {log} = takeWindow(createBranchLog(1024), {lines: ['2026-11-21T14:02:11.000000001Z [error] no'], pods: []});
    console.log(log.buffer.entryCount, levelOf('[error] no'), sanitise('a\\u0007'));
  `;
  writeFileSync(join(folder.path, 'old-node.js'), code);
  const ran = spawnSync(process.execPath, ['old-node.js'], {cwd: folder.path, encoding: 'utf8'});
  expect([ran.stderr, ran.stdout]).toEqual(['', '1 error a␇\n']);
});

test('a program that only makes text safe gets nothing else into its bundle', async () => {
  writeFileSync(join(folder.path, 'safe.js'), "import {sanitise} from 'branchlog/log'; console.log(sanitise('a'));");
  const {outputFiles} = await build({
    absWorkingDir: folder.path,
    entryPoints: ['safe.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  expect(outputFiles[0]?.contents.length).toBeLessThan(30 * 1024);
});

test('the licences of what is bundled come with it', () => {
  const notices = readFileSync(join(installed, 'dist/THIRD-PARTY-NOTICES'), 'utf8');
  for (const name of ['ink', 'react', 'got', 'date-fns', 'ink-select-input', 're2js', 'yoga-layout']) {
    const {version} = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    expect(notices).toContain(`\n${name} ${version}\n`);
  }
  expect(notices.match(/Permission is hereby granted|Apache License|Redistribution and use/g)?.length).toBeGreaterThan(
    20,
  );
});

test('nothing of the screens comes with the library, and all of it is small', () => {
  const files = readdirSync(library);
  const named = files.map(name => name.replace(/-[A-Z0-9]{8}(?=\.)/, '')).toSorted();
  const shared = ['shared.js', 'shared.js', 'shared.js', 'shared.js.map', 'shared.js.map', 'shared.js.map'];
  expect(named).toEqual([
    'api.d.ts',
    'api.js',
    'api.js.map',
    'log.d.ts',
    'log.js',
    'log.js.map',
    ...shared,
    'types.d.ts',
  ]);
  const code = files.map(name => readFileSync(join(library, name), 'utf8')).join('\n');
  expect(code.match(/\b(?:react|yoga|useState|createElement|ScreenFrame|node:sqlite)\b/g)).toBeNull();
  const kilobytesOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + statSync(join(library, name)).size, 0) / 1024;
  expect(kilobytesOf(files.filter(name => !name.endsWith('.map')))).toBeLessThan(720);
  expect(kilobytesOf(files.filter(name => /^(?:log|shared-.*)\.js$/.test(name)))).toBeLessThan(300);
});
