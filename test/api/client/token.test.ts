import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createTokenProvider} from '#api/client/token.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';
import {canaryToken, failureOf} from '../client-setup.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder('token');
});
afterEach(() => folder.remove());

const pathOf = (name: string): string => join(folder.path, name);
const write = (content: string | Buffer, mode = 0o600, name = 'token'): string => {
  const path = pathOf(name);
  writeFileSync(path, content, {mode});
  chmodSync(path, mode);
  return path;
};
const fromFile = (path: string, userId?: number) =>
  createTokenProvider({kind: 'file', path}, {env: {}, nowMs: () => 0, ...(userId === undefined ? {} : {userId})});

describe('from a file', () => {
  test('is stripped of a byte order mark and of white space', async () => {
    const provider = fromFile(write('\u{feff} \t abc.DEF-1~+/=_\r\n\n'));
    const {secret, version, notice} = await provider.read();
    expect([secret.reveal(), version, notice]).toEqual(['abc.DEF-1~+/=_', 1, undefined]);
    expect(provider.describe()).toBe(pathOf('token'));
  });

  test('is read again when the file changed, by content, replacement or time, and keeps its version while it is the same', async () => {
    const path = write('first');
    const provider = fromFile(path);
    const values = [(await provider.read()).version];
    utimesSync(path, 1, 1);
    values.push((await provider.read()).version);
    write('second');
    values.push((await provider.read()).version);
    renameSync(write('third', 0o600, 'next'), path);
    const last = await provider.read();
    expect([...values, last.version, last.secret.reveal()]).toEqual([1, 1, 2, 3, 'third']);
  });

  test('is watched for another token: the same one, a missing or an untrusted file are none', async () => {
    const path = write('first');
    const provider = fromFile(path);
    await provider.read();
    const [hasNew, toldOnRead] = [provider.watch(), provider.watch()];
    const looks = [await hasNew()];
    utimesSync(path, 1, 1);
    looks.push(await hasNew());
    write('second', 0o644);
    looks.push(await hasNew());
    renameSync(path, pathOf('away'));
    looks.push(await hasNew());
    write('second');
    looks.push(await hasNew());
    await provider.read();
    expect([...looks, await toldOnRead()]).toEqual([false, false, false, false, true, true]);
  });

  test('is watched until it can be read again, though it holds the same token', async () => {
    const path = write('same');
    const provider = fromFile(path);
    await provider.read();
    write('same', 0o644);
    await expect(provider.read()).rejects.toThrow('open to every user');
    const canBeRead = provider.watch();
    const looks = [await canBeRead()];
    chmodSync(path, 0o600);
    looks.push(await canBeRead());
    expect(looks).toEqual([false, true]);
  });

  test('is read with fresh even where nothing tells a change', async () => {
    const path = write('aaaa');
    const provider = fromFile(path);
    await provider.read();
    writeFileSync(path, 'bbbb');
    expect((await provider.read({fresh: true})).secret.reveal()).toBe('bbbb');
  });

  test('serves the last good one while the file is missing or empty, and says so', async () => {
    const path = write('good');
    const provider = fromFile(path);
    await provider.read();
    truncateSync(path);
    const empty = await provider.read();
    rmSync(path);
    const missing = await provider.read({fresh: true});
    write('better');
    const back = await provider.read();
    expect([empty.secret.reveal(), empty.notice]).toEqual([
      'good',
      `the token file ${path} is empty, the last token is used`,
    ]);
    expect([missing.secret.reveal(), missing.notice]).toEqual([
      'good',
      `the token file ${path} is missing, the last token is used`,
    ]);
    expect([back.secret.reveal(), back.version, back.notice]).toEqual(['better', 2, undefined]);
  });

  test.each([
    ['is missing', () => undefined],
    ['is empty', () => write('')],
    ['is empty', () => write(' \n')],
  ])('that %s and never was good is an error', async (words, prepare) => {
    prepare();
    const failure = await failureOf(fromFile(pathOf('token')).read());
    expect([failure.kind, failure.message]).toEqual([
      'token',
      `the token file ${pathOf('token')} ${words}: put a token into it`,
    ]);
  });

  test('that lies below a file instead of a folder is missing', async () => {
    const path = join(write('no folder'), 'token');
    expect((await failureOf(fromFile(path).read())).message).toBe(
      `the token file ${path} is missing: put a token into it`,
    );
  });

  test.each([
    [0o604, 'is open to every user: run chmod 600'],
    [0o602, 'is open to every user: run chmod 600'],
    [0o644, 'is open to every user: run chmod 600'],
  ])('of mode %o is refused with what to run', async (mode, words) => {
    const path = write('good', mode);
    const failure = await failureOf(fromFile(path).read());
    expect([failure.kind, failure.message]).toEqual(['token', `the token file ${path} ${words} ${path}`]);
  });

  test.each([0o640, 0o660])('of mode %o is read with a warning, each time', async mode => {
    const path = write('good', mode);
    const provider = fromFile(path);
    const notice = `the token file ${path} is open to its group: run chmod 600 ${path}`;
    expect([(await provider.read()).notice, (await provider.read()).notice]).toEqual([notice, notice]);
  });

  test('that belongs to a stranger is refused, and to root is not', async () => {
    const path = write('good');
    const ownerId = process.getuid?.() ?? 0;
    const asStranger = fromFile(path, ownerId + 1).read();
    if (ownerId === 0) {
      expect((await asStranger).secret.reveal()).toBe('good');
      execFileSync('chown', ['12345', path]);
    }
    const failure = await failureOf(ownerId === 0 ? fromFile(path, 0).read() : asStranger);
    expect(failure.message).toBe(
      `the token file ${path} belongs to user ${ownerId === 0 ? 12345 : ownerId}, not to you or root: use a file of your own`,
    );
  });

  test('that is a folder, a FIFO or a device is refused at once', async () => {
    execFileSync('mkfifo', ['-m', '600', pathOf('fifo')]);
    const kinds = {[folder.path]: 'folder', [pathOf('fifo')]: 'FIFO', '/dev/null': 'device'};
    for (const [path, kind] of Object.entries(kinds)) {
      const failure = await failureOf(fromFile(path).read());
      expect([failure.kind, failure.message]).toEqual(['token', `the token file ${path} is a ${kind}, not a file`]);
    }
  });

  test('behind a symbolic link is checked where it lies', async () => {
    write('good', 0o644, 'real');
    symlinkSync(pathOf('real'), pathOf('link'));
    expect((await failureOf(fromFile(pathOf('link')).read())).message).toMatch(/is open to every user/);
  });

  test.each([
    ['Bearer canary', 'a blank at byte 6'],
    ['"canary"', 'a quotation mark at byte 0'],
    ["canary'", 'a quotation mark at byte 6'],
    ['can`ary', 'a quotation mark at byte 3'],
    ['can{ary', 'a punctuation character at byte 3'],
    ['  canary\ncanary', 'a line break at byte 8'],
    ['canary\x00', 'a control character at byte 6'],
    ['canarÿ', 'a character outside ASCII at byte 5'],
    ['canary;', 'a punctuation character at byte 6'],
  ])('%j is refused by offset and class, never by value', async (content, words) => {
    const path = write(content);
    const failure = await failureOf(fromFile(path).read());
    expect(failure.message).toBe(
      `the token file ${path} has ${words}: it must hold the token alone, without "Bearer" or quotes`,
    );
  });

  test('that is large is not read whole', async () => {
    const failure = await failureOf(fromFile(write(Buffer.alloc(5_000_000, 0x61))).read());
    expect(failure.message).toBe(`the token file ${pathOf('token')} is larger than 16 KB`);
  });
});

describe('from a command', () => {
  // Found in PATH: the one of a checkout may belong to another user, or be writable by its group.
  const node = 'node';
  const fromCommand = (
    script: string,
    options: {timeoutMs?: number; nowMs?: () => number; env?: NodeJS.ProcessEnv} = {},
  ) =>
    createTokenProvider(
      {kind: 'command', command: [node, '-e', script, folder.path]},
      {
        env: options.env ?? process.env,
        nowMs: options.nowMs ?? (() => 0),
        ...(options.timeoutMs === undefined ? {} : {commandTimeoutMs: options.timeoutMs}),
      },
    );
  const counting =
    "const fs=require('fs'),f=process.argv[1]+'/count';fs.appendFileSync(f,'x');console.log('token'+fs.readFileSync(f,'utf8').length)";

  test('runs once, and again with fresh', async () => {
    const provider = fromCommand(counting);
    const values = [await provider.read(), await provider.read(), await provider.read({fresh: true})];
    expect(values.map(({secret, version}) => [secret.reveal(), version])).toEqual([
      ['token1', 1],
      ['token1', 1],
      ['token2', 2],
    ]);
  });

  test('runs once for two requests at the same time', async () => {
    const provider = fromCommand(counting);
    const values = await Promise.all([provider.read(), provider.read()]);
    expect(values.map(({secret}) => secret.reveal())).toEqual(['token1', 'token1']);
  });

  test('runs again when its token is about to expire, but not at every poll', async () => {
    let nowMs = 999_000_000_000;
    const provider = fromCommand(
      `require('fs').appendFileSync(process.argv[1]+'/count','x');console.log('${canaryToken}')`,
      {nowMs: () => nowMs},
    );
    const runs = () => readFileSync(pathOf('count'), 'utf8').length;
    await provider.read();
    expect([provider.expiresAtMs(), runs()]).toEqual([1_000_000_000_000, 1]);
    nowMs = 999_999_980_000;
    await provider.read();
    await provider.read();
    expect(runs()).toBe(2);
    nowMs += 31_000;
    await provider.read();
    expect(runs()).toBe(3);
  });

  test('has no shell and gets no BRANCHLOG_TOKEN', async () => {
    const provider = createTokenProvider(
      {
        kind: 'command',
        command: [node, '-e', 'console.log(process.argv[1].length + (process.env.BRANCHLOG_TOKEN ?? ""))', '$HOME;x'],
      },
      {env: {...process.env, BRANCHLOG_TOKEN: 'canary'}, nowMs: () => 0},
    );
    expect((await provider.read()).secret.reveal()).toBe('7');
  });

  test.each([
    ['process.stderr.write("canary"); process.exit(3)', 'ended with exit code 3: run it by hand to see why'],
    ['', 'printed nothing: run it by hand to see why'],
    ['process.kill(process.pid, "SIGKILL")', 'was ended by SIGKILL: run it by hand to see why'],
    ['for (;;) console.log("canary".repeat(1000))', 'printed far more than a token and was stopped'],
  ])('%j', async (script, words) => {
    const failure = await failureOf(fromCommand(script).read());
    expect([failure.kind, failure.message]).toEqual(['token', `token_command (${node}) ${words}`]);
  });

  test('that does not exist is named', async () => {
    const provider = createTokenProvider(
      {kind: 'command', command: ['/nowhere/vault', 'canary']},
      {env: {}, nowMs: () => 0},
    );
    expect((await failureOf(provider.read())).message).toBe(
      'token_command (/nowhere/vault) cannot be started (ENOENT)',
    );
  });

  test('that others may write to is not run', async () => {
    writeFileSync(pathOf('vault'), `#!/bin/sh\ntouch ${pathOf('ran')}\necho canary\n`);
    chmodSync(pathOf('vault'), 0o775);
    const provider = createTokenProvider({kind: 'command', command: [pathOf('vault')]}, {env: {}, nowMs: () => 0});
    const failure = await failureOf(provider.read());
    expect([failure.kind, failure.message]).toEqual([
      'setting',
      `token_command (${pathOf('vault')}) may be written by others: run chmod go-w ${pathOf('vault')}`,
    ]);
    chmodSync(pathOf('vault'), 0o755);
    expect(existsSync(pathOf('ran'))).toBe(false);
    expect((await provider.read()).secret.reveal()).toBe('canary');
  });

  test('that hangs is ended with all it has started', async () => {
    const child =
      "require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1000)'],{stdio:'inherit'})";
    const provider = fromCommand(
      `const c=${child};require('fs').writeFileSync(process.argv[1]+'/pid',String(c.pid));setInterval(()=>{},1000)`,
      {timeoutMs: 1500},
    );
    expect((await failureOf(provider.read())).message).toBe(
      `token_command (${node}) did not end within 1.5 s and was stopped`,
    );
    await grandchildEnds();
  });

  test('that leaves a child behind is ended with it', async () => {
    const child = "require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1000)'],{stdio:'ignore'})";
    const provider = fromCommand(
      `const c=${child};require('fs').writeFileSync(process.argv[1]+'/pid',String(c.pid));c.unref();console.log('good')`,
    );
    expect((await provider.read()).secret.reveal()).toBe('good');
    await grandchildEnds();
  });

  const grandchildEnds = (): Promise<unknown> => {
    const pid = Number(readFileSync(pathOf('pid'), 'utf8'));
    return waitFor(
      () => {
        try {
          // A dead child that nobody has waited for yet still has its entry: its state is Z.
          return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
        } catch {
          return true;
        }
      },
      {what: 'the end of the grandchild'},
    );
  };

  test('that fails later leaves the last token in use, with a word about it', async () => {
    const provider = fromCommand(
      "const fs=require('fs'),f=process.argv[1]+'/ran';if(fs.existsSync(f))process.exit(1);fs.writeFileSync(f,'');console.log('good')",
    );
    await provider.read();
    const {secret, notice} = await provider.read({fresh: true});
    expect([secret.reveal(), notice]).toEqual([
      'good',
      `token_command (${node}) ended with exit code 1: run it by hand to see why; the last token is used`,
    ]);
  });
});

describe('from the environment', () => {
  const fromVariable = (value: string | undefined) =>
    createTokenProvider(
      {kind: 'environment', variable: 'BRANCHLOG_TOKEN'},
      {env: {BRANCHLOG_TOKEN: value}, nowMs: () => 0},
    );

  test('is read and named', async () => {
    const provider = fromVariable(' abc ');
    expect((await provider.read()).secret.reveal()).toBe('abc');
    expect(provider.describe()).toBe('the variable BRANCHLOG_TOKEN');
  });

  test.each([undefined, '', '  '])('%j is no token', async value => {
    expect((await failureOf(fromVariable(value).read())).message).toBe(
      'the variable BRANCHLOG_TOKEN holds no token: set it, or name a token file',
    );
  });

  const jwt = (claims: string): string => `e30.${Buffer.from(claims).toString('base64url')}.sig`;
  test.each([
    [jwt('{"exp":1700000000}'), 1_700_000_000_000],
    [jwt('{"exp":"soon"}'), undefined],
    [jwt('{"exp":1e300}'), undefined],
    [jwt('{"exp":-5}'), undefined],
    [jwt('null'), undefined],
    [jwt('not json'), undefined],
    ['opaque', undefined],
    ['a.b.c', undefined],
  ])('%s expires at %j', async (token, expected) => {
    const provider = fromVariable(token);
    expect(provider.expiresAtMs()).toBeUndefined();
    await provider.read();
    expect(provider.expiresAtMs()).toBe(expected);
  });
});
