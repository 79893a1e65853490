import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {type FakeService, startFakeService} from '../support/fake-service.ts';
import {type PtyProgram, startPtyProgram} from '../support/pty-program.ts';
import {createTempFolder, type TempFolder} from '../support/temp-folder.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${part({alg: 'none'})}.${part({sub: 'canary-subject-51d9', exp: 4_000_000_000})}.Y2FuYXJ5LXNpZ25hdHVyZQ`;

/** Secrets with characters that URLs and JSON write otherwise. */
const secrets: Readonly<Record<string, string>> = {
  token,
  payload: token.split('.')[1] ?? '',
  signature: token.split('.')[2] ?? '',
  admin: 'canary-admin "7f3a" &%+é',
  database: 'canary-database\\b81c/<>',
  editor: 'canary-editor 44e0=?',
  lock: 'canary-lock#9a77',
  inline: 'Server=db;Password=canary-inline 52be',
  pair: 'canary-pair 0d4f',
  key: '-----BEGIN PRIVATE KEY-----canary-key-c0de-----END PRIVATE KEY-----',
};

/** A secret as it might slip through: as it is, as its longest piece of plain letters, and in the usual coats. */
const formsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    ...(secret.match(/canary-[a-z]+/g) ?? []),
    // Without the last characters, which depend on what follows.
    bytes.toString('base64').replace(/.{1,4}$/, ''),
    bytes.toString('base64url').replace(/.{1,4}$/, ''),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
};

const findLeaks = (text: string, where: string): readonly string[] =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).some(form => text.includes(form)) ? [`${name} in ${where}`] : [],
  );

let service: FakeService;
let home: TempFolder;
let program: PtyProgram;
beforeEach(async () => {
  service = await startFakeService({tokens: [token]});
  service.setBranches('site-1', [
    makeBuiltBranch('branch-1', 'main', {
      appSettings: {
        type: 'shop',
        adminUser: 'admin',
        adminPassword: secrets.admin,
        env: [{key: 'API_TOKEN', value: secrets.pair}],
      },
      copyDatabaseUrl: secrets.inline,
      dbPassword: secrets.database,
      editorPwd: secrets.editor,
      lockPassword: secrets.lock,
      customDomains: [
        {
          _id: 'domain-1',
          domain: 'www.example.com',
          createdBy: 'user-7',
          workspace: 'workspace-1',
          application: 'branch-1',
          privateKey: secrets.key,
          sslCertificate: '',
          createdAt: '2025-01-02T03:04:05.678Z',
          updatedAt: '2025-01-02T03:04:05.678Z',
        },
      ],
    }),
  ]);
  service.setLog('branch-1', () => ({lines: ['2026-11-21T14:00:00.000000000Z a line of the log']}));
  home = createTempFolder('secrets');
  writeFileSync(join(home.path, 'token'), token, {mode: 0o600});
  program = startPtyProgram({
    args: ['site-1', '--token-file', join(home.path, 'token')],
    columns: 140,
    rows: 60,
    home,
    env: {...service.env, BRANCHLOG_TOKEN: undefined},
  });
});
afterEach(async () => {
  await program.close();
  await service.close();
  home.remove();
});

/** A file of the home by its name, or nothing for a folder, or for a file which the program renamed since the folder was listed. */
const readIfFile = (name: string): readonly {readonly where: string; readonly text: string}[] => {
  const path = join(home.path, name);
  try {
    return statSync(path).isFile() ? [{where: `the file ${name}`, text: readFileSync(path, 'utf8')}] : [];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return [];
    }
    throw error;
  }
};

/** Everything that holds a secret on purpose or by mistake: arguments and environments of all processes (on Linux), and every file of the home. */
const findLeaksOutside = (): readonly string[] => {
  const processes = (process.platform === 'linux' ? readdirSync('/proc') : [])
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      try {
        return ['cmdline', 'environ'].map(file => ({
          where: `${file} of a process`,
          text: readFileSync(`/proc/${pid}/${file}`, 'utf8'),
        }));
      } catch {
        return [];
      }
    });
  const files = readdirSync(home.path, {recursive: true, encoding: 'utf8'})
    .filter(name => name !== 'token')
    .flatMap(name => readIfFile(name));
  return [...processes, ...files].flatMap(({text, where}) => findLeaks(text, where));
};

test('no secret reaches the terminal, a file or the process table, whatever the screens show and the service answers', async () => {
  const spoilt = `{"branches":[{"adminPassword":${JSON.stringify(secrets.admin)},"token":"${token}"`;
  await program.waitFor('▸ ● main');
  program.press('Tab', 'End');
  await program.waitFor(/▸ db password +\*{8}/);
  program.press('Esc');
  const leaks: string[] = [...findLeaksOutside()];
  program.press('d', 'd', '/', 'canary', 'Ctrl+U', 'Esc');
  await program.waitFor('▸ ● main');
  for (const [fault, words] of [
    [{kind: 'status', status: 401, body: spoilt}, '401'],
    [{kind: 'status', status: 500, body: spoilt}, '500'],
    [{kind: 'status', status: 403, headers: {'x-echo': token}, body: spoilt}, /403|not permitted/],
    [{kind: 'html'}, 'HTML'],
    [{kind: 'body', body: spoilt}, 'JSON'],
    [{kind: 'body', body: `<html>${token}</html>`, headers: {'content-type': 'text/html'}}, 'HTML'],
    [
      {kind: 'redirect', to: `http://127.0.0.1:9/?token=${encodeURIComponent(token)}`},
      /redirect|elsewhere|127\.0\.0\.1:9/,
    ],
  ] as const) {
    service.failAlways(fault);
    program.press('r');
    await program.waitFor(rows => rows.at(-2)?.match(words) !== null && rows.at(-2)?.startsWith(' !') === true, {
      what: `the state row to speak of ${words}`,
    });
    leaks.push(...findLeaks(program.screenText().join('\n'), `the screen after ${words}`));
  }
  service.failAlways(undefined);
  program.press('r');
  await program.waitFor(rows => rows[0]?.includes('live') === true);
  program.press('Enter');
  await program.waitFor('a line of the log');
  service.failAlways({kind: 'body', body: spoilt});
  program.press('r');
  await program.waitFor('JSON');
  leaks.push(...findLeaksOutside());
  program.press('q');
  expect(await program.exitCode()).toBe(0);
  leaks.push(...findLeaks(program.output(), 'the bytes of the terminal'), ...findLeaksOutside());
  expect(leaks).toEqual([]);
  // What is looked for was sent, and would be found.
  expect(service.requests.every(({headers}) => headers.authorization === `Bearer ${token}`)).toBe(true);
  expect(findLeaks(`x ${encodeURIComponent(token)}`, 'here')).toContain('token in here');
  expect(findLeaks(Buffer.from(`${secrets.database} and more`).toString('base64'), 'here')).toContain(
    'database in here',
  );
});

test('a key reveals one secret for its time, and it is gone with whatever leaves the screen', async () => {
  const secret = secrets.database ?? '';
  const isHidden = (rows: readonly string[]): boolean => !rows.join('').includes('canary-');
  const reveal = async (): Promise<void> => {
    program.press('Tab', 'End', 'Enter');
    await program.waitFor(secret);
  };
  await program.waitFor('▸ ● main');
  await reveal();
  await program.waitFor(/▸ db password +\*{8}/, {what: 'the mask, by itself', deadlineMs: 30_000});
  // After its time, and after each way to leave, nothing that is drawn anew holds it.
  for (const [keys, place] of [
    [['Ctrl+L'], '▸ db password'],
    [['Up'], '▸ database user'],
    [['Esc'], '▸ ● main'],
    [['?', '?'], '▸ db password'],
    [['Ctrl+Z'], '▸ db password'],
    [['Esc', 'Enter'], 'a line of the log'],
    [['Esc', 'Esc'], 'Which site?'],
  ] as const) {
    if (keys[0] !== 'Ctrl+L') {
      await reveal();
    }
    program.press(...keys);
    await program.waitFor(rows => isHidden(rows) && rows.join('\n').includes(place), {what: `${place} and no secret`});
    const bytes = program.output().length;
    const before = program.output().split('\u001b[2J').length;
    program.press('Ctrl+L');
    await program.waitFor(() => program.output().split('\u001b[2J').length > before, {what: 'the screen drawn anew'});
    await program.waitFor(place);
    expect(findLeaks(program.output().slice(bytes), 'what was drawn anew')).toEqual([]);
    if (place === 'a line of the log') {
      program.press('Esc');
      await program.waitFor('▸ ● main');
    }
  }
  program.press('Enter');
  await program.waitFor('▸ ● main');
  program.press('Tab', 'End', ...Array.from({length: 90}, () => 'Up'));
  await program.waitFor('▸ errors');
  // On its way to the end each field is asked to reveal itself, the private key among them, and only one at a time does.
  const told: string[] = [];
  for (let step = 0; step < 90 && !/▸ db password/.test(program.screenText().join('\n')); step += 1) {
    const marked = (): string => program.screenText().find(row => / ▸ (?!●)/.test(row)) ?? '';
    const label = marked();
    program.press('v');
    await program.waitFor(rows => /this is not a secret|shown for|never shown/.test(rows.at(-2) ?? ''));
    told.push(program.screenText().at(-2)?.trim() ?? '');
    const seen = new Set(
      Object.entries(secrets).flatMap(([name, text]) => (program.screenText().join('').includes(text) ? [name] : [])),
    );
    expect(seen.size).toBeLessThanOrEqual(1);
    expect(seen.has('key')).toBe(false);
    program.press('Down');
    // A frame may come in pieces: the sentence has to be gone as well.
    await program.waitFor(rows => marked() !== label && !told.includes(rows.at(-2)?.trim() ?? ''), {
      what: `the highlight to leave ${label}`,
    });
  }
  expect(told.filter(sentence => sentence.startsWith('private keys are never shown'))).toHaveLength(1);
  expect(told.filter(sentence => sentence.startsWith('shown for'))).toHaveLength(4);
  // It leaves the record, then the program.
  program.press('q');
  program.press('q');
  expect(await program.exitCode()).toBe(0);
  const left = ['token', 'payload', 'signature', 'key'];
  expect(findLeaks(program.output(), 'output').filter(leak => left.some(name => leak.startsWith(name)))).toEqual([]);
  expect(findLeaksOutside()).toEqual([]);
});
