import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Answer, LogAnswer} from '#api/client/answer.ts';
import {ApiError} from '#api/client/api-error.ts';
import {type Client, createClient} from '#api/client/client.ts';
import {createTokenProvider} from '#api/client/token.ts';
import {createRecordingClient, type TimedClient} from '#api/recording/recording-client.ts';
import {openRecordingFile, type RecordingFile} from '#api/recording/recording-file.ts';
import {openReplayClient, type ReplayClient} from '#api/recording/replay-client.ts';
import {secretMask} from '#base/secret.ts';
import {parseInstant} from '#log/line/instant.ts';
import type {FakeWindow} from '../../support/fake-log.ts';
import {makeBranch, makeBuiltBranch} from '../../support/fake-records.ts';
import {type FakeService, startFakeService} from '../../support/fake-service.ts';
import {createTempFolder, type TempFolder} from '../../support/temp-folder.ts';
import {failureOf} from '../client-setup.ts';

const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnktc3ViIn0.canary-_signature';
const tenant = 'canary-tenant-5512';

let service: FakeService;
let folder: TempFolder;
let path: string;
let file: RecordingFile;
let client: TimedClient;
let nowMs: number;

const line = (number: number): string => `2026-11-21T14:00:00.${String(number).padStart(9, '0')}Z line ${number}`;

/** An answer with its lines as an array. */
const withLines = ({value, ...rest}: Answer<LogAnswer>) => ({...rest, value: {...value, lines: [...value.lines]}});

beforeEach(async () => {
  service = await startFakeService({tenant, tokens: [token]});
  folder = createTempFolder('replay');
  path = join(folder.path, 'a.ndjson');
  nowMs = 5000;
  const direct: Client = createClient({
    baseUrl: service.baseUrl,
    tenant,
    authMode: 'mode-1',
    token: createTokenProvider({kind: 'environment', variable: 'T'}, {env: {T: token}, nowMs: Date.now}),
  });
  file = await openRecordingFile({path, stopped: sentence => expect(sentence).toBe('')});
  client = createRecordingClient(direct, {
    file,
    host: 'api.example.com',
    tenant,
    siteNames: new Map([['site-1', 'shop']]),
    bufferMb: 64,
    intervalMs: 1500,
    nowMs: Date.UTC(2026, 10, 21, 14, 0, 0),
    monotonicMs: () => nowMs,
  });
});

afterEach(async () => {
  client.close();
  await file.finish();
  await service.close();
  folder.remove();
});

const rows = (): readonly Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row));

/** Sleeps move the clock, and are noted. */
const replay = async (speed = Number.POSITIVE_INFINITY): Promise<{client: ReplayClient; sleeps: number[]}> => {
  await file.finish();
  const sleeps: number[] = [];
  let clockMs = 100;
  const opened = await openReplayClient({
    path,
    speed,
    monotonicMs: () => clockMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      sleeps.push(ms);
      clockMs += ms;
    },
  });
  return {client: opened, sleeps};
};

describe('what is written', () => {
  test('the header names the format, the time and the host, and neither tenant nor token', async () => {
    await client.listBranches('site-1');
    await file.finish();
    expect(rows()[0]).toEqual({
      format: 'branchlog recording',
      version: 2,
      recordedAt: '2026-11-21T14:00:00.000Z',
      host: 'api.example.com',
      bufferMb: 64,
      intervalMs: 1500,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('of windows, pods and listings only what is new', async () => {
    service.setLog('branch-1', number => ({
      lines: number === 1 ? [1, 2, 3].map(line) : [2, 3, 4].map(line),
      pods: number < 3 ? [{name: 'web-1'}] : [{name: 'web-2'}],
    }));
    await client.listBranches('site-1');
    await client.listBranches('site-1');
    for (let request = 0; request < 3; request += 1) {
      await client.fetchLog('site-1', 'branch-1');
    }
    await file.finish();
    const [, first, second, ...logs] = rows();
    expect(first).toHaveProperty('branches');
    expect(second).not.toHaveProperty('branches');
    expect(logs.map(({window}) => window)).toEqual([[1, 2, 3].map(line), [[1, 2], line(4)], [[0, 3]]]);
    expect(logs.map(row => 'pods' in row)).toEqual([true, false, true]);
    expect(logs.map(row => 'sessionId' in row)).toEqual([true, false, false]);
  });

  test('of the ninth log at once the next window is written in full, and of the first that went for it', async () => {
    const branches = Array.from({length: 9}, (_, index) => makeBranch(`branch-${index + 1}`, `b${index + 1}`));
    service.setBranches('site-1', branches);
    for (let branch = 1; branch <= 9; branch += 1) {
      service.setLog(`branch-${branch}`, () => ({lines: [line(1)]}));
      await client.fetchLog('site-1', `branch-${branch}`);
    }
    await client.fetchLog('site-1', 'branch-9');
    await client.fetchLog('site-1', 'branch-2');
    await client.fetchLog('site-1', 'branch-1');
    await file.finish();
    expect(
      rows()
        .slice(-3)
        .map(({window}) => window),
    ).toEqual([[[0, 1]], [[0, 1]], [line(1)]]);
  });

  test('an hour of a loud log is far from gigabytes, with windows that are cut for each pod too', async () => {
    // 200 polls; each brings 50 lines, and pushes 25 out of the front and 25 out of the middle.
    let window = Array.from({length: 1000}, (_, number) => line(number));
    service.setLog('branch-1', number => {
      const added = Array.from({length: 50}, (_, index) => line(1000 + number * 50 + index));
      window = [...window.slice(25, 500), ...window.slice(525), ...added];
      return {lines: window};
    });
    for (let request = 0; request < 200; request += 1) {
      await client.fetchLog('site-1', 'branch-1');
    }
    await file.finish();
    const newBytes = (1000 + 200 * 50) * (line(1000).length + 3);
    expect(statSync(path).size).toBeLessThan(newBytes * 1.5);
  });

  test('no token, tenant or secret in any form', async () => {
    service.setBranches('site-1', [
      makeBuiltBranch('branch-1', 'main', {
        copyDatabaseUrl: 'mysql://root:secret-url-1@db.example.com/x',
        somethingNew: {apiKey: 'secret-new-1', env: [{name: 'DB_PASSWORD', value: 'secret-env-1'}]},
        connection: 'Server=db;Password=secret-inline-1',
        settings: [{Key: 'API_TOKEN', Value: 'secret-pair-1'}],
        otp: 'secret-otp-1',
      }),
      makeBranch('branch-2', 'new'),
    ]);
    await client.listBranches('site-1');
    await client.listDeployedBranches('site-1');
    await client.fetchLog('site-1', 'branch-1');
    const faults = [
      {kind: 'status', status: 401, body: token},
      {kind: 'status', status: 403, body: token},
      {kind: 'status', status: 500, body: token},
      {kind: 'body', body: `{"${token}`},
      {kind: 'redirect', to: `https://elsewhere.example.com/${token}`},
    ] as const;
    for (const fault of faults) {
      service.failNext(fault);
      await failureOf(client.fetchLog('site-1', 'branch-1'));
    }
    const body = JSON.stringify({
      podNamesList: [
        {
          name: 'web-1',
          resourceVersion: '1',
          metadata: {
            name: 'web-1',
            annotations: {'last-applied-configuration': '{"env":"secret-applied-1"}', dbPassword: 'secret-note-1'},
            labels: {note: 'PASSWORD=secret-label-1'},
          },
        },
      ],
      data: [],
      events: [],
      sessionId: 's',
    });
    service.failNext({kind: 'body', body});
    await client.fetchLog('site-1', 'branch-1');
    await file.finish();
    const text = readFileSync(path, 'utf8');
    const secrets = [
      token,
      'canary-_signature',
      tenant,
      ...['admin', 'db', 'editor', 'lock', 'key'].map(name => `secret-${name}-branch-1`),
      ...['url', 'new', 'env', 'applied', 'note', 'inline', 'pair', 'otp', 'label'].map(name => `secret-${name}-1`),
    ];
    const forms = secrets.flatMap(value => [
      value,
      Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -2),
      Buffer.from(value).toString('base64url').slice(0, -2),
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
    ]);
    expect(forms.filter(form => text.includes(form))).toEqual([]);
    expect(text).toContain(`not permitted for tenant ${secretMask}`);
    expect(rows()).toHaveLength(10);
  });
});

describe('what is played', () => {
  test('log answers are what they were: lines with lone surrogates, pods, session, skipped parts and times', async () => {
    const lines = [line(1), '2026-11-21T14:00:00Z \ud800 \u0000\u2028 \u202e', 'no timestamp', ''];
    service.setLog('branch-1', number => ({lines: number === 1 ? lines : lines.slice(1)}));
    const live = [await client.fetchLog('site-1', 'branch-1')];
    nowMs = 5250.5;
    service.failNext({
      kind: 'body',
      body: JSON.stringify({podNamesList: [], data: [...lines, 7], events: [], sessionId: 't'}),
    });
    live.push(await client.fetchLog('site-1', 'branch-1'));
    const {client: played} = await replay();
    const answers = [await played.fetchLog('site-1', 'branch-1'), await played.fetchLog('site-1', 'branch-1')];
    expect(answers).toEqual(live.map(withLines));
    expect(answers[0]?.value.lines.at(1)).toBe('2026-11-21T14:00:00Z \ud800 \u0000\u2028 \u202e');
    expect(answers.map(answer => played.timesOf(answer))).toEqual([
      {beganMs: 0, cameMs: 0},
      {beganMs: 250.5, cameMs: 250.5},
    ]);
    expect(live.map(answer => client.timesOf(answer))).toEqual(answers.map(answer => played.timesOf(answer)));
    played.close();
  });

  test('how windows are cut, and what arrived, is what it was, and is written where it changed', async () => {
    const headers = [
      undefined,
      'pod; series=a; last=2; dropped=0',
      'pod; series=a; last=3; dropped=1',
      'pod; series=a; last=3; dropped=1',
      'branch',
      'source; sources=4',
      'source',
      undefined,
    ];
    service.setLog('branch-1', number => {
      const header = headers[number - 1];
      return {lines: [line(1)], ...(header === undefined ? {} : {header})};
    });
    const live = [];
    for (const _ of headers) {
      live.push(await client.fetchLog('site-1', 'branch-1'));
    }
    const {client: played} = await replay();
    const again = [];
    for (const _ of headers) {
      again.push(await played.fetchLog('site-1', 'branch-1'));
    }
    expect(again).toEqual(live.map(withLines));
    expect(again.map(({value}) => [value.cut, value.sources, value.arrivals?.last])).toEqual([
      [undefined, undefined, undefined],
      ['pod', undefined, 2],
      ['pod', undefined, 3],
      ['pod', undefined, 3],
      ['branch', undefined, undefined],
      ['source', 4, undefined],
      ['source', undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(
      rows()
        .slice(1)
        .map(row => [row.cut, row.sources, row.arrivals]),
    ).toEqual([
      [undefined, undefined, undefined],
      ['pod', undefined, {series: 'a', last: 2, dropped: 0}],
      [undefined, undefined, {series: 'a', last: 3, dropped: 1}],
      [undefined, undefined, undefined],
      ['branch', undefined, null],
      ['source', 4, undefined],
      [undefined, null, undefined],
      [null, undefined, undefined],
    ]);
    played.close();
  });

  describe('numbers and sources', () => {
    const [nginx, php] = [
      {pod: 'web-1', container: 'nginx'},
      {pod: 'web-1', container: 'php', stream: 'stderr'},
    ];
    const field = (first: number, more: object) => ({series: 'a', first, runs: [], sources: [], losses: [], ...more});
    const loss = {
      source: 0,
      after: '2026-11-21T14:00:00.000000001Z',
      before: '2026-11-21T14:00:00.000000004Z',
      number: 4,
      why: 'the file was cut',
      lines: 2,
    };
    const answers: readonly FakeWindow[] = [
      {
        lines: [1, 3, 2].map(line),
        more: {
          branchlog: field(1, {
            numbers: [
              [1, 1],
              [3, 1],
              [2, 1],
            ],
            runs: [
              [0, 1],
              [1, 2],
            ],
            sources: [nginx, php],
          }),
        },
      },
      {lines: [line(4)], more: {branchlog: field(4, {runs: [[0, 1]], sources: [php, nginx], losses: [loss]})}},
      {lines: [], more: {branchlog: field(5, {})}},
      {lines: [line(9)], more: {branchlog: field(7, {runs: [[0, 1]], sources: [nginx]})}},
      {lines: [line(9)], more: {branchlog: {...field(1, {runs: [[0, 1]], sources: [{}]}), series: 'b'}}},
      {lines: [line(9)]},
    ];
    const lasts = [undefined, 3, 4, 4, 7, 1];
    const readTo = (index: number) => {
      const last = lasts[index];
      return last === undefined ? undefined : {series: index === 5 ? 'b' : 'a', last};
    };

    const recordAll = async () => {
      service.setLog('branch-1', number => answers[number - 1] ?? {lines: []});
      const live = [];
      for (const index of answers.keys()) {
        live.push(await client.fetchLog('site-1', 'branch-1', undefined, readTo(index)));
      }
      return live;
    };

    test('are what they were to a reader that asks as the recorded one', async () => {
      const live = await recordAll();
      expect(live[1]?.value.numbering?.losses).toHaveLength(1);
      const {client: played} = await replay();
      for (const [index, answer] of live.entries()) {
        expect(await played.fetchLog('site-1', 'branch-1', undefined, readTo(index))).toEqual(withLines(answer));
      }
      played.close();
    });

    test('of all answers so far are one window to a reader that begins in the middle', async () => {
      await recordAll();
      const {client: played} = await replay();
      const windows = [];
      for (const _ of answers) {
        windows.push((await played.fetchLog('site-1', 'branch-1')).value);
      }
      expect(windows.map(({lines}) => Array.from(lines, raw => Number(raw.slice(-1))))).toEqual([
        [1, 3, 2],
        // As many as an answer had: the window of the service is not known to be larger.
        [3, 2, 4],
        [3, 2, 4],
        [2, 4, 9],
        [9],
        [9],
      ]);
      expect(windows[1]?.numbering).toEqual({
        series: 'a',
        first: 3,
        numbers: [
          [3, 1],
          [2, 1],
          [4, 1],
        ],
        runs: [[0, 3]],
        sources: [php],
        losses: [
          {
            number: 4,
            source: 0,
            why: loss.why,
            lines: 2,
            after: parseInstant(loss.after),
            before: parseInstant(loss.before),
          },
        ],
      });
      expect(windows.map(({numbering}) => numbering?.series)).toEqual(['a', 'a', 'a', 'a', 'b', undefined]);
      played.close();
    });

    test('a service that sends whole windows all the same is played as it was', async () => {
      service.setLog('branch-1', () => answers[0] ?? {lines: []});
      await client.fetchLog('site-1', 'branch-1');
      await client.fetchLog('site-1', 'branch-1', undefined, {series: 'a', last: 3});
      const {client: played} = await replay();
      await played.fetchLog('site-1', 'branch-1');
      expect((await played.fetchLog('site-1', 'branch-1')).value.lines).toHaveLength(3);
      played.close();
    });
  });

  test('branches are what they were, their secrets masks that reveal nothing', async () => {
    const live = await client.listBranches('site-1');
    const {client: played} = await replay();
    const again = await played.listBranches('site-1');
    expect(JSON.stringify(again)).toBe(JSON.stringify(live));
    expect(again.value[0]?.dbPassword?.reveal()).toBe(secretMask);
    expect(played.sites).toEqual([{id: 'site-1', name: 'shop'}]);
    played.close();
  });

  test('malformed records are what they were, and those without an id are counted', async () => {
    service.setBranches('site-1', [
      makeBuiltBranch('branch-1', 'main', {name: {a: 'secret-name-1'}, status: 7, dbPassword: true, lock: 'yes'}),
      {name: 'no id'},
    ]);
    const live = await client.listBranches('site-1');
    const {client: played} = await replay();
    const again = await played.listBranches('site-1');
    expect(JSON.stringify(again)).toBe(JSON.stringify(live));
    expect(again).toMatchObject({
      withoutId: 1,
      value: [{name: 'branch-1', malformed: ['name', 'status', 'lock', 'dbPassword']}],
    });
    expect(again.value[0]?.status).toBeUndefined();
    played.close();
  });

  test('errors are thrown as they were', async () => {
    service.failNext({kind: 'status', status: 429, headers: {'retry-after': '17'}});
    const live = await failureOf(client.fetchLog('site-1', 'branch-1'));
    const {client: played} = await replay();
    const again = await failureOf(played.fetchLog('site-1', 'branch-1'));
    expect(again).toMatchObject({kind: 'tooManyRequests', status: 429, retryAfterMs: 17_000, message: live.message});
    played.close();
  });

  test('a request that was cancelled is not in it', async () => {
    service.failNext({kind: 'stall', at: 'headers'}, {operation: 'logs'});
    const stop = new AbortController();
    const asked = client.fetchLog('site-1', 'branch-1', stop.signal);
    await service.waitForRequests(1);
    stop.abort();
    await failureOf(asked);
    await file.finish();
    expect(rows()).toHaveLength(1);
  });

  test.each([
    ['1', 1, [400, 600]],
    ['10', 10, [40, 60]],
    ['max', Number.POSITIVE_INFINITY, []],
  ])('at speed %s each comes not before its time', async (_, speed, expected) => {
    await client.fetchLog('site-1', 'branch-1');
    for (const ms of [5400, 6000]) {
      nowMs = ms;
      await client.fetchLog('site-1', 'branch-1');
    }
    const {client: played, sleeps} = await replay(speed);
    for (let request = 0; request < 3; request += 1) {
      await played.fetchLog('site-1', 'branch-1');
    }
    expect(sleeps.map(ms => Math.round(ms * 1000) / 1000)).toEqual(expected);
    expect(played.positionMs).toBe(1000);
    played.close();
  });

  test('a call that is cancelled takes no answer away', async () => {
    service.setLog('branch-1', number => ({lines: [line(number)]}));
    await client.fetchLog('site-1', 'branch-1');
    const {client: played} = await replay(1);
    const error = await failureOf(played.fetchLog('site-1', 'branch-1', AbortSignal.abort()));
    expect(error.kind).toBe('cancelled');
    expect((await played.fetchLog('site-1', 'branch-1')).value.lines).toEqual([line(1)]);
    played.close();
  });

  test('at its end a log rejects with "ended", and a listing stays as it was', async () => {
    await client.listBranches('site-1');
    await client.fetchLog('site-1', 'branch-1');
    const {client: played} = await replay();
    await played.fetchLog('site-1', 'branch-1');
    expect(await failureOf(played.fetchLog('site-1', 'branch-1'))).toMatchObject({
      kind: 'ended',
      message: 'the recording ends here',
    });
    expect((await failureOf(played.fetchLog('site-1', 'branch-9'))).kind).toBe('ended');
    const first = await played.listBranches('site-1');
    expect((await played.listBranches('site-1')).value).toEqual(first.value);
    expect(played.next({siteId: 'site-1', branchId: 'branch-1'})).toBeUndefined();
    played.close();
  });
});

describe('a file that is no recording, or a damaged one, is told with the number of the line', () => {
  const header =
    '{"format":"branchlog recording","version":1,"recordedAt":"2026-11-21T14:00:00.000Z","host":"h","bufferMb":1,"intervalMs":2000}';
  const call = '"operation":"log","siteId":"s","branchId":"b"';
  const meta = '"status":200,"durationMs":1,"bodyBytes":1';
  const good = `{${call},"beganMs":1,"cameMs":2,${meta},"window":["a"],"pods":[],"sessionId":null}`;

  const cases: readonly (readonly [string, string, string])[] = [
    ['an empty file', '', 'line 1 of PATH is missing: the file is empty'],
    ['a log', '2026-11-21T14:00:00Z hello\n', 'line 1 of PATH is not a header: this is not a branchlog recording'],
    ['other JSON', '{"a":1}\n', 'line 1 of PATH is not a header: this is not a branchlog recording'],
    [
      'a later version',
      `${header.replace('"version":1', '"version":4')}\n`,
      'line 1 of PATH is of version 4, this program plays versions 1 to 2',
    ],
    [
      'a hand-over',
      `${header.replace('"version":1', '"version":3')}\n`,
      'line 1 of PATH is of a hand-over: it is opened, not played, as in branchlog open FILE',
    ],
    ['a header without its time', `${header.replace('2026', 'x')}\n`, 'line 1 of PATH is a damaged header'],
    ['a row that is cut in the middle', `${header}\n${good}\n{"oper\n${good}\n`, 'line 3 of PATH is damaged'],
    ['a row cut off at the end, and no answer', `${header}\n{"oper`, 'line 2 of PATH is damaged'],
    ['a row without a window', `${header}\n{${call},"beganMs":1,"cameMs":2,${meta}}\n`, 'line 2 of PATH is damaged'],
    [
      'a cut that is none',
      `${header}\n${good.replace('"window"', '"cut":"odd","window"')}\n`,
      'line 2 of PATH is damaged',
    ],
    [
      'a number of sources that no pod has',
      `${header}\n${good.replace('"window"', '"sources":0,"window"')}\n`,
      'line 2 of PATH is damaged',
    ],
    [
      'numbers of more lines than there are',
      `${header}\n${good.replace('"window"', '"numbering":{"series":"a","first":1,"numbers":[[1,2]],"runs":[],"sources":[],"losses":[]},"window"')}\n`,
      'line 2 of PATH is damaged',
    ],
    [
      'a source that is no object',
      `${header}\n${good.replace('"window"', '"numbering":{"series":"a","first":1,"runs":[[0,1]],"sources":[1],"losses":[]},"window"')}\n`,
      'line 2 of PATH is damaged',
    ],
    [
      'a reader that had nothing that can be',
      `${header}\n${good.replace('"window"', '"after":{"series":"a"},"window"')}\n`,
      'line 2 of PATH is damaged',
    ],
    [
      'items that are no lines in no order',
      `${header}\n${good.replace('"pods"', '"notLines":[1,0],"pods"')}\n`,
      'line 2 of PATH is damaged',
    ],
    [
      'an item that is no line after the last',
      `${header}\n${good.replace('"pods"', '"notLines":[0,1,2],"pods"')}\n`,
      'line 2 of PATH is damaged: it names a place after its last line',
    ],
    [
      'numbers that no service counts',
      `${header}\n${good.replace('"window"', '"arrivals":{"series":"a","last":1,"dropped":2},"window"')}\n`,
      'line 2 of PATH is damaged',
    ],
    ['a log without a branch', `${header}\n${good.replace('"branchId":"b",', '')}\n`, 'line 2 of PATH is damaged'],
    [
      'a kind of error that is none',
      `${header}\n{${call},"beganMs":1,"cameMs":2,"error":{"kind":"odd","message":""}}\n`,
      'line 2 of PATH is damaged',
    ],
    [
      'a window of lines that are not there',
      `${header}\n${good}\n${good.replace('["a"]', '[[0,2]]')}\n`,
      'line 3 of PATH is damaged: it names lines that the answer before did not have',
    ],
    [
      'time that goes back',
      `${header}\n${good}\n${good.replace('"beganMs":1,"cameMs":2', '"beganMs":0,"cameMs":1')}\n`,
      'line 3 of PATH is damaged: its time is before that of the line before',
    ],
    [
      'a first answer without pods',
      `${header}\n${good.replace('"pods":[],', '')}\n`,
      'line 2 of PATH is damaged: it lacks the pods of a first answer',
    ],
    [
      'a first listing without branches',
      `${header}\n{"operation":"branches","siteId":"s","beganMs":1,"cameMs":2,${meta}}\n`,
      'line 2 of PATH is damaged: it lacks the branches of a first answer',
    ],
  ];

  const open = (at: string) =>
    openReplayClient({path: at, speed: 1, monotonicMs: () => 0, sleep: () => Promise.resolve()});

  test.each(cases)('%s', async (_, text, sentence) => {
    const damaged = join(folder.path, 'damaged.ndjson');
    writeFileSync(damaged, text);
    await expect(open(damaged)).rejects.toMatchObject({
      name: 'RecordingError',
      message: `--replay: ${sentence.replace('PATH', damaged)}`,
    });
  });

  test('a file that is not there, and a folder', async () => {
    await expect(open(join(folder.path, 'none'))).rejects.toThrow(
      `--replay: ${join(folder.path, 'none')} cannot be read, there is no such file or folder`,
    );
    await expect(open(folder.path)).rejects.toThrow(`--replay: ${folder.path} is a folder, not a file`);
  });

  test('what a killed program left in its last line is left out, and said', async () => {
    const cut = join(folder.path, 'cut.ndjson');
    writeFileSync(cut, `${header}\n${good}\n${good.slice(0, 40)}`);
    const played = await open(cut);
    expect(played.notice).toBe(`line 3 of ${cut}, its last, is cut off and left out`);
    expect((await played.fetchLog('s', 'b')).value.lines).toEqual(['a']);
    expect(await failureOf(played.fetchLog('s', 'b'))).toBeInstanceOf(ApiError);
    played.close();
  });

  test('one that is changed while it is played', async () => {
    const changed = join(folder.path, 'changed.ndjson');
    writeFileSync(changed, `${header}\n${good}\n`);
    const played = await open(changed);
    writeFileSync(changed, 'x'.repeat(1000));
    await expect(played.fetchLog('s', 'b')).rejects.toThrow(
      `--replay: line 2 of ${changed} was changed while it was played`,
    );
    played.close();
  });

  test('rows longer than what is read at once, and letters across its edge', async () => {
    const long = join(folder.path, 'long.ndjson');
    const text = 'é'.repeat(1_500_000);
    writeFileSync(long, `${header}\n${good.replace('"a"', `"x${text}"`)}\n${good.replace('["a"]', '[[0,1],"b"]')}\n`);
    const played = await open(long);
    await played.fetchLog('s', 'b');
    expect((await played.fetchLog('s', 'b')).value.lines).toEqual([`x${text}`, 'b']);
    played.close();
  });
});
