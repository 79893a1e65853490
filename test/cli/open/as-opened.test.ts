import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {processIo} from '#cli/io/io.ts';
import {asOpened} from '#cli/open/as-opened.ts';
import {findKeys} from '#cli/open/find-keys.ts';
import {createTempFolder} from '../../support/temp-folder.ts';

const config = (word: string): string => `default_context = "prod"
[contexts.prod]
base_url = "http://127.0.0.1:9/dev-v1"
tenant = "t"
auth_mode = "a"
token_command = ["echo", "t"]
sites = [{id = "s1", name = "shop.example"}, {id = "${word}"}]
`;

const open = async (words: (path: string) => readonly string[], {hasService = true} = {}) => {
  const folder = createTempFolder('as-opened');
  onTestFinished(folder.remove);
  const at = (name: string): string => join(folder.path, name);
  writeFileSync(at('app.log'), 'one\n');
  writeFileSync(at('site.log'), 'one\n');
  if (hasService) {
    writeFileSync(at('config.toml'), config(at('site.log')), {mode: 0o600});
  }
  const said: string[] = [];
  const env = {BRANCHLOG_CONFIG: at('config.toml'), XDG_STATE_HOME: at('state')};
  const io = {...processIo(folder.path), stdin: Object.assign(new PassThrough(), {isTTY: false}), env};
  const {command} = await asOpened(parseArguments(words(folder.path)), io, sentence =>
    said.push(sentence.replaceAll(`${folder.path}/`, '')),
  );
  return [command === 'open', said];
};

test('a path that exists and is no site is opened', async () => {
  expect(await open(path => [`${path}/app.log`])).toEqual([true, []]);
  expect(await open(path => [`${path}/app.log`], {hasService: false})).toEqual([true, []]);
});

test('a site wins over a file, and how to open that is said', async () => {
  expect(await open(path => [`${path}/site.log`])).toEqual([
    false,
    ['site.log is opened as a site; branchlog open site.log opens the file'],
  ]);
});

test('what is no path that exists is a site, and without a service it is said that there is no file', async () => {
  expect(await open(() => ['shop.example'])).toEqual([false, []]);
  expect(await open(() => ['gone.log'])).toEqual([false, []]);
  expect(await open(() => ['gone.log'], {hasService: false})).toEqual([false, ['there is no file gone.log']]);
  expect(await open(path => [`${path}/gone`], {hasService: false})).toEqual([false, ['there is no file gone']]);
  // A word without a dot or a slash was not meant as a path.
  expect(await open(() => ['gone'], {hasService: false})).toEqual([false, []]);
});

test('a recording is none, whatever exists', async () => {
  expect(await open(path => [`${path}/app.log`, '--record', 'r.ndjson'])).toEqual([false, []]);
  expect(await open(path => ['--replay', 'r.ndjson', `${path}/app.log`])).toEqual([false, []]);
});

test('without a word, what is on a stream of our own is not taken for a pager’s input', async () => {
  expect(await open(() => [])).toEqual([false, []]);
});

const keysOf = (words: readonly string[], {isTTY = true, TERM = 'xterm'} = {}) => {
  const io = processIo('/home/none');
  return findKeys(parseArguments(['open', ...words]), {
    ...io,
    stdout: Object.assign(new PassThrough(), {isTTY}),
    env: {TERM},
  });
};

test('keys are wanted only on a terminal, and where the command line does not ask for text', () => {
  const isTTY = process.stdin.isTTY;
  Object.assign(process.stdin, {isTTY: true});
  onTestFinished(() => {
    Object.assign(process.stdin, {isTTY});
  });
  const has = (...given: Parameters<typeof keysOf>) => keysOf(...given) === process.stdin;
  expect([has([]), has(['--tail', '5']), has(['--since', '1h']), has(['--follow'])]).toEqual([true, true, true, true]);
  expect([has(['--grep', 'x']), has(['--format', 'json']), has(['--summary'])]).toEqual([false, false, false]);
  expect([has([], {isTTY: false}), has([], {TERM: 'dumb'})]).toEqual([false, false]);
});
