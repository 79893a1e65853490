import {expect, onTestFinished, test} from 'vitest';
import {createTokenProvider} from '#api/client/token.ts';
import {createLibraryClient, type FollowBranchOptions, followBranch} from '#library/follow-branch.ts';
import {textOf} from '#log/line/entry.ts';
import {createGrowingLog} from '../support/fake-log.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {fakeToken, startFakeService} from '../support/fake-service.ts';

const startFollowing = async (options: Partial<FollowBranchOptions> = {}) => {
  const service = await startFakeService();
  onTestFinished(() => service.close());
  const token = createTokenProvider(
    {kind: 'environment', variable: 'TOKEN'},
    {env: {TOKEN: fakeToken}, nowMs: Date.now},
  );
  const client = createLibraryClient({baseUrl: service.baseUrl, tenant: 'org-1', authMode: 'mode-1', token});
  onTestFinished(() => client.close());
  const log = createGrowingLog();
  service.setLog('branch-1', log.log);
  const polls = followBranch(client, {siteId: 'site-1', branchId: 'branch-1', intervalMs: 1, ...options});
  /** The texts of the new lines and the kinds of the markers, or the kind of the error. */
  const next = async (): Promise<readonly string[] | 'ended'> => {
    const {value} = await polls.next();
    return value
      ? value.error
        ? [value.error.kind]
        : value.added.map(each => (each.kind === 'line' ? textOf(each) : each.kind))
      : 'ended';
  };
  return {service, client, log, polls, next};
};

test('yields each line once, goes on after a failed poll, and marks a gap', async () => {
  const {service, log, next} = await startFollowing();
  log.emit('one', 'two');
  expect(await next()).toEqual(['one', 'two']);
  log.emit('three');
  expect(await next()).toEqual(['three']);
  service.failNext({kind: 'status', status: 503});
  expect(await next()).toEqual(['server']);
  log.emit(...Array.from({length: 1500}, (_, index) => `${index}`));
  expect((await next()).slice(0, 2)).toEqual(['gap', '500']);
});

test('throws the error of the first poll', async () => {
  const {service, next} = await startFollowing();
  service.failNext({kind: 'status', status: 404});
  await expect(next()).rejects.toMatchObject({name: 'ApiError', kind: 'notFound'});
});

test('ends when its signal is aborted: before a poll, during a request, and while it waits', async () => {
  expect(await (await startFollowing({signal: AbortSignal.abort()})).next()).toBe('ended');

  const during = new AbortController();
  const asking = await startFollowing({signal: during.signal});
  asking.service.failNext({kind: 'stall', at: 'headers'});
  const asked = asking.next();
  await asking.service.waitForRequests(1, 'logs');
  during.abort();
  expect(await asked).toBe('ended');

  const waiting = new AbortController();
  const waited = await startFollowing({signal: waiting.signal, intervalMs: 3_600_000});
  await waited.next();
  await waited.next();
  const ended = waited.next();
  waiting.abort();
  expect(await ended).toBe('ended');
});

test('a poll has the log so far, and no error while all is well', async () => {
  const {service, log, polls} = await startFollowing();
  log.emit('one');
  const first = await polls.next();
  log.emit('two');
  const second = await polls.next();
  expect([first.value?.log.buffer.lineCount, second.value?.log.buffer.lineCount]).toEqual([1, 2]);
  expect([first.value?.error, second.value?.error]).toEqual([undefined, undefined]);
  service.failNext({kind: 'status', status: 503});
  expect((await polls.next()).value).toMatchObject({added: [], log: {buffer: {lineCount: 2}}});
});

test('a window has its lines as an array, and all else as any client has it', async () => {
  const {service, client, log} = await startFollowing();
  log.emit('one', 'two');
  const {value, status, durationMs} = await client.fetchLog('site-1', 'branch-1');
  expect(value.lines.map(line => line.slice(line.indexOf(' ') + 1))).toEqual(['one', 'two']);
  expect([status, durationMs > 0]).toEqual([200, true]);
  service.setBranches('site-1', [makeBuiltBranch('branch-1', 'master')]);
  expect((await client.listBranches('site-1')).value).toMatchObject([{name: 'master'}]);
});
