import {once} from 'node:events';
import http from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {readAfterHeader} from '#service/http/answers/log-headers.ts';
import {createServer} from '#service/http/server.ts';
import {waitFor} from '../../support/wait-for.ts';
import {createLogFolder, testNowMs} from '../files/pod-backend.ts';

const open = async (pods: Readonly<Record<string, readonly string[]>> = {web: ['a.log']}, windowLines = 1_000) => {
  const folder = createLogFolder();
  for (const name of Object.values(pods).flat()) {
    folder.append(name, `first of ${name}\n`);
  }
  const backend = await folder.open(pods, {windowLines});
  const started = {...backend, start: async () => undefined};
  const server = createServer({
    backend: started,
    token: 't',
    tenant: 'acme',
    authMode: 'local',
    host: '127.0.0.1',
    port: 0,
  });
  const {baseUrl} = await server.start();
  onTestFinished(() => server.stop());
  const agent = new http.Agent({keepAlive: true, maxSockets: 1});
  onTestFinished(() => agent.destroy());
  const get = async (path: string, given: Readonly<Record<string, string>> = {}) => {
    const request = http.get(`${baseUrl}/sites/${path}`, {
      agent,
      headers: {authorization: 'Bearer t', tenant: 'acme', 'auth-mode': 'local', ...given},
    });
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    const head = response.rawHeaders.reduce((sum: number, text: string) => sum + text.length + 2, 0);
    return {
      status: response.statusCode,
      body: JSON.parse(body.toString()),
      totalBytes: 'HTTP/1.1 200 OK\r\n\r\n'.length + head + body.length,
      header: response.headers['branchlog-window'],
      offer: response.headers['branchlog-pulses'],
    };
  };
  return {
    folder,
    ask: (given?: Readonly<Record<string, string>>) => get('s/branches/b/logs', given),
    list: (name: string, siteId = 's') => get(`${siteId}/${name}`),
  };
};

const textsOf = (lines: readonly string[]) => lines.map(line => line.slice(31));

test('without the headers the answer is that of the interface, with the field', async () => {
  const {ask} = await open();
  const {body, header} = await ask();
  const {branchlog, ...rest} = body;
  expect(Object.keys(rest)).toEqual(['podNamesList', 'data', 'events', 'sessionId']);
  expect([textsOf(rest.data), rest.events]).toEqual([['first of a.log'], [{message: rest.data[0]}]]);
  expect(branchlog).toEqual({
    series: expect.stringMatching(/^[0-9a-f]{16}$/),
    first: 1,
    runs: [[0, 1]],
    sources: [{pod: 'web'}],
    losses: [],
    pods: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  expect(header).toBe(`branch; series=${branchlog.series}; last=1; dropped=0`);
});

test('a reader gets what follows its place, without the pods that it has, and a quiet answer is short', async () => {
  const {folder, ask} = await open();
  const {branchlog} = (await ask()).body;
  const has = {'branchlog-after': `${branchlog.series}:1`, 'branchlog-pods': branchlog.pods};
  const quiet = await ask(has);
  expect(quiet.body).toEqual({
    data: [],
    events: [],
    branchlog: {series: branchlog.series, first: 2, runs: [], sources: [], losses: [], pods: branchlog.pods},
    sessionId: quiet.body.sessionId,
  });
  expect(quiet.totalBytes).toBeLessThan(500);
  folder.append('a.log', 'second\n');
  const busy = (await ask(has)).body;
  expect([textsOf(busy.data), busy.branchlog.first, busy.podNamesList]).toEqual([['second'], 2, undefined]);
  expect(busy.events).toEqual([{message: busy.data[0]}]);
  const {body} = await ask({...has, 'branchlog-pods': 'other'});
  expect(body.podNamesList).toHaveLength(1);
});

test.each(['', 'x', ':1', 'x:', 'x:-1', 'x:1.5', 'x:99999999999999999', `${'x'.repeat(129)}:1`])(
  'a place that is none is ignored: %j',
  value => {
    expect(readAfterHeader({'branchlog-after': value})).toBeUndefined();
  },
);

test('a series may contain colons', () => {
  expect(readAfterHeader({'branchlog-after': 'a:b:7'})).toEqual({series: 'a:b', last: 7});
});

test('another series, or a number that was never given, gets the whole window', async () => {
  const {ask} = await open();
  const {data, branchlog} = (await ask()).body;
  for (const place of ['0000000000000000:1', `${branchlog.series}:2`]) {
    const {body} = await ask({'branchlog-after': place});
    expect([body.data, body.branchlog.first, body.podNamesList.length]).toEqual([data, 1, 1]);
  }
});

test('each file of a pod with several is a stream, and a reader behind the window is told what left', async () => {
  const {folder, ask} = await open({web: ['a.log', 'b.log']}, 4);
  const {branchlog} = (await ask()).body;
  // Both files are read at once: which of the first lines arrives first is open.
  expect(branchlog.sources.map(({pod, stream}: {pod: string; stream: string}) => `${pod} ${stream}`).sort()).toEqual([
    'web a.log',
    'web b.log',
  ]);
  folder.append('b.log', '1\n2\n3\n4\n5\n6\n');
  const {body} = await ask({'branchlog-after': `${branchlog.series}:2`});
  expect(textsOf(body.data)).toEqual(['3', '4', '5', '6']);
  expect(body.branchlog).toMatchObject({
    first: 5,
    runs: [[0, 4]],
    sources: [{pod: 'web', stream: 'b.log'}],
    losses: [{number: 5, lines: 2, after: expect.stringMatching(/Z$/), before: expect.stringMatching(/Z$/)}],
  });
});

test('the errors of all branches of a site are counted from what is in memory', async () => {
  const {folder, list} = await open();
  const stamp = new Date(testNowMs - 1000).toISOString();
  expect((await list('pulses')).body).toMatchObject([{_id: 'b', lines: 1, errors: 0, lastError: null}]);
  folder.append('a.log', `${stamp} ERROR out of stock\n`);
  await waitFor(async () => (await list('pulses')).body[0].errors === 1, {what: 'the error'});
  const [{seenUntil, lastError}] = (await list('pulses')).body;
  expect([seenUntil, lastError.text]).toEqual(['2025-01-01T00:00:00.000Z', expect.stringContaining('out of stock')]);
  expect((await list('pulses', 'nowhere')).status).toBe(404);
  expect((await list('branches')).offer).toBe('site');
});
