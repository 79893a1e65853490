import {once} from 'node:events';
import http from 'node:http';
import {gunzipSync} from 'node:zlib';
import fc from 'fast-check';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createWindowBodies, type WindowBody} from '#service/http/body/window-bodies.ts';
import {waitFor} from '../../../support/wait-for.ts';

const linesFrom = (start: number, end: number): readonly string[] =>
  Array.from({length: end - start}, (_, index) => `t line ${start + index} "quoted" ${'ä'.repeat(20)}`);

const read = ({pieces}: WindowBody, coding: 'gzip' | 'identity') => {
  const bytes = Buffer.concat(pieces);
  return JSON.parse((coding === 'gzip' ? gunzipSync(bytes) : bytes).toString());
};

const expected = (lines: readonly string[]) => ({
  podNamesList: [],
  data: lines,
  events: lines.map(message => ({message})),
  sessionId: 's',
});

test.each(['gzip', 'identity'] as const)('every window of a moving log is formatted whole, as %s', async coding => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(700), fc.nat(1_200), fc.nat(5)), {minLength: 1, maxLength: 6}),
      async moves => {
        const bodies = createWindowBodies('s');
        let [start, end] = [0, 0];
        for (const [leave, arrive, late] of moves) {
          end += arrive;
          start = Math.min(end, start + leave);
          const lines = [...linesFrom(start, end)];
          lines.splice(late * 100, 0, ...linesFrom(0, late));
          const body = read(await bodies.get('b', {pods: [], lines}, coding), coding);
          // As text: comparing thousands of items one by one takes seconds.
          expect(JSON.stringify(body)).toBe(JSON.stringify(expected(lines)));
        }
      },
    ),
    {numRuns: 4},
  );
});

test('says which pods cannot be read, and no longer once they can', async () => {
  const bodies = createWindowBodies('s');
  const numbering = {series: 's', first: 1, runs: [], sources: [], losses: []};
  const unreadable = {pods: 2, of: 4, why: 'No right.'};
  const window = {pods: [], lines: [], numbering};
  for (const hasPlace of [true, false]) {
    const reader = {hasPlace, hasPods: false};
    const blind = read(await bodies.get('b', {...window, unreadable}, 'identity', reader), 'identity');
    expect(blind.branchlog.unreadable).toEqual(unreadable);
    const whole = read(await bodies.get('b', window, 'identity', reader), 'identity');
    expect(whole.branchlog).not.toHaveProperty('unreadable');
  }
});

test('all readers of a window share one body, and a new line costs only the pieces that it is in', async () => {
  const bodies = createWindowBodies('s');
  const pods = [] as const;
  const lines = linesFrom(0, 20_000);
  const asked = await Promise.all(Array.from({length: 50}, () => bodies.get('b', {pods, lines}, 'gzip')));
  expect(new Set(asked).size).toBe(1);
  const [body] = asked;
  const next = await bodies.get('b', {pods, lines: linesFrom(1, 20_001)}, 'gzip');
  const fresh = next.pieces.filter(piece => !body?.pieces.includes(piece));
  // The first and the last slice, each in data and events, and what is around them.
  expect(fresh.length).toBeLessThan(12);
  expect(next.pieces.length).toBeGreaterThan(75);
});

test('a window that nobody asks for any more is forgotten after a minute', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const bodies = createWindowBodies('s');
  const window = {pods: [], lines: linesFrom(0, 10)};
  const body = await bodies.get('b', window, 'gzip');
  vi.advanceTimersByTime(59_000);
  expect(await bodies.get('b', window, 'gzip')).toBe(body);
  vi.advanceTimersByTime(59_000);
  expect(await bodies.get('b', window, 'gzip')).toBe(body);
  vi.advanceTimersByTime(60_000);
  expect(await bodies.get('b', window, 'gzip')).not.toBe(body);
});

test('nothing is kept for a reader who left while the body was made', async () => {
  const bodies = createWindowBodies('s');
  const body = await bodies.get('b', {pods: [], lines: linesFrom(0, 10)}, 'identity');
  const {promise: written, resolve} = Promise.withResolvers<unknown[]>();
  const server = http.createServer(async (_request, response) => {
    await once(response, 'close');
    const write = vi.spyOn(response, 'write');
    bodies.send(body, response);
    resolve(write.mock.calls);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const request = http.get({port: typeof address === 'object' ? address?.port : 0, agent: false});
  request.on('error', () => undefined);
  await once(server, 'request');
  request.destroy();
  expect(await written).toEqual([]);
});

test('the bytes that wait for slow readers are bounded: the readers of the oldest windows are cut', async () => {
  const bodies = createWindowBodies('s', 20_000_000);
  const server = http.createServer(async (request, response) => {
    const start = Number(request.url?.slice(1));
    const body = await bodies.get('b', {pods: [], lines: linesFrom(start, start + 60_000)}, 'identity');
    response.setHeader('content-length', body.sizeBytes);
    bodies.send(body, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const ask = async (path: string) => {
    const request = http.get({port: typeof address === 'object' ? address?.port : 0, path, agent: false});
    request.on('error', () => undefined);
    const [response] = await once(request, 'response');
    return response;
  };
  // Nobody reads the first two, which are 10 MB each.
  const slow = [await ask('/0'), await ask('/100000')];
  const closed = slow.map(() => false);
  for (const [index, response] of slow.entries()) {
    response.on('error', () => undefined);
    response.socket.on('close', () => {
      closed[index] = true;
    });
  }
  const quick = await ask('/200000');
  quick.resume();
  await once(quick, 'end');
  slow[0].resume();
  await waitFor(() => closed[0], {what: 'the oldest reader to be cut'});
  expect([slow[0].complete, closed[1]]).toEqual([false, false]);
  slow[1].destroy();
});

const after = {hasPlace: true, hasPods: true};

const numbered = (start: number, end: number) => ({
  pods: [],
  lines: linesFrom(start, end),
  numbering: {series: 'a', first: start, runs: [[0, end - start]] as const, sources: [{pod: 'web'}], losses: []},
});

test('readers at one place share a short body, until the window changes', async () => {
  const bodies = createWindowBodies('s');
  const window = numbered(7, 9);
  const asked = await Promise.all(Array.from({length: 50}, () => bodies.get('b', window, 'gzip', after)));
  expect(new Set(asked).size).toBe(1);
  const [body] = asked;
  expect(body && read(body, 'identity')).toEqual({
    data: window.lines,
    events: window.lines.map(message => ({message})),
    branchlog: {...window.numbering, pods: expect.any(String)},
    sessionId: 's',
  });
  expect(body?.coding).toBe('identity');
  expect(await bodies.get('b', {...numbered(7, 10), pods: window.pods}, 'gzip', after)).not.toBe(body);
  // Neither the other branch nor a reader without the pods gets it.
  expect(await bodies.get('c', {...window, numbering: {...window.numbering}}, 'gzip', after)).not.toBe(body);
  expect(read(await bodies.get('b', window, 'gzip', {...after, hasPods: false}), 'identity').podNamesList).toEqual([]);
});

test('readers at different places far behind share most of what they get', async () => {
  const bodies = createWindowBodies('s');
  const first = await bodies.get('b', numbered(0, 20_000), 'gzip', after);
  const second = await bodies.get('b', numbered(100, 20_000), 'gzip', after);
  expect(read(second, 'gzip').branchlog.first).toBe(100);
  expect(second.pieces.filter(piece => !first.pieces.includes(piece)).length).toBeLessThan(12);
});

test('a loss that is added to the same lines makes another body, of the same pieces', async () => {
  const bodies = createWindowBodies('s');
  const window = numbered(0, 2_000);
  const before = await bodies.get('b', window, 'gzip');
  const losses = [{number: 2_000, after: 1_735_689_600_000_000_000n, why: 'it ended'}];
  const after = await bodies.get('b', {...window, numbering: {...window.numbering, losses}}, 'gzip');
  expect(read(after, 'gzip').branchlog.losses).toEqual([
    {number: 2_000, after: '2025-01-01T00:00:00.000000000Z', why: 'it ended'},
  ]);
  expect(after.pieces.filter(piece => before.pieces.includes(piece)).length).toBeGreaterThan(5);
});

test('runs of numbers and sources are those of every window, and a new line costs only the pieces that it is in', async () => {
  const sources = ['a', 'b', 'c'].map(pod => ({pod}));
  const numberLines = (start: number, end: number, turns = 1) => {
    const indexes = Array.from({length: end - start}, (_, index) => start + index);
    return {
      pods: [],
      lines: indexes.map(index => `t line ${index}`),
      numbering: {
        series: 'n',
        // Two arrive in the order opposite to that of their stamps.
        first: (start ^ 1) + 1,
        numbers: indexes.map(index => [(index ^ 1) + 1, 1] as const),
        runs: indexes.map(index => [Math.floor((index * index) / turns) % 3, 1] as const),
        sources,
        losses: [],
      },
    };
  };
  for (const coding of ['gzip', 'identity'] as const) {
    const bodies = createWindowBodies('s');
    let before: WindowBody | undefined;
    for (const [start, end] of [
      [0, 20_000],
      [1, 20_001],
      [3, 20_003],
      [5_000, 25_000],
      [5_000, 25_000],
    ] as const) {
      const window = numberLines(start, end);
      const body = await bodies.get('b', window, coding);
      const {branchlog, data} = read(body, coding);
      // As text: comparing 60,000 items one by one takes seconds.
      expect(JSON.stringify(data)).toBe(JSON.stringify(window.lines));
      expect(JSON.stringify(branchlog.numbers)).toBe(JSON.stringify(window.numbering.numbers));
      expect(JSON.stringify(branchlog.runs)).toBe(JSON.stringify(window.numbering.runs));
      expect(branchlog.sources).toEqual(sources);
      const fresh = body.pieces.filter(piece => !before?.pieces.includes(piece));
      if (before !== undefined && start < 5_000) {
        expect(fresh.length).toBeLessThan(18);
        expect(body.pieces.length).toBeGreaterThan(90);
      }
      before = body;
    }
    // The same lines, of other sources.
    const other = numberLines(5_000, 25_000, 2);
    expect(read(await bodies.get('b', other, coding), coding).branchlog.runs).toEqual(other.numbering.runs);
  }
});
