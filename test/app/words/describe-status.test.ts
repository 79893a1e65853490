import {expect, test} from 'vitest';
import {describeStatus} from '#app/words/describe-status.ts';

/** Each says it by one word only: `PENDING` at the end would be work in progress for its last three letters. */
const busy = [
  ['PENDING APPROVAL', 'PENDING APPROVAL'],
  ['RUNNING 2 OF 3', 'RUNNING 2 OF 3'],
  ['UPGRADE_IN_PROGRESS', 'upgrade in progress'],
  ['START_PODS', 'start pods'],
  ['DEPLOYING', 'deploying'],
  ['ROLLING_BACK', 'rolling back'],
];

test.each(busy)('%s is work in progress', (status, words) => {
  expect(describeStatus(status)).toMatchObject({
    glyph: '◐',
    words,
    tone: 'busy',
    isDeployed: false,
    isFault: false,
  });
});

test.each([
  ['WAITING_FOR_PENDING', 'waiting for pending'],
  ['START_SUCCESS', 'start success'],
  ['RUNNING_DONE', 'running done'],
  ['PAUSED', 'paused'],
  ['CrashLoopBackOff', 'CrashLoopBackOff'],
  ['X', 'X'],
])('%s, which nobody described, is made readable', (status, words) => {
  expect(describeStatus(status)).toMatchObject({glyph: '?', words, tone: 'plain', isFault: false});
});

test.each(['DEPLOY_APPLICATION_FAILED', 'START_ERROR', 'failing'])('%s is a fault', status => {
  expect(describeStatus(status)).toMatchObject({glyph: '✗', tone: 'bad', isFault: true});
});

test('a malformed status is neither "not built out" nor deployed nor a fault', () => {
  expect(describeStatus(undefined)).toMatchObject({
    glyph: '?',
    words: 'status not as described',
    isDeployed: false,
    isFault: false,
  });
});

test('the two statuses that the specification names have words of their own', () => {
  expect(describeStatus(null)).toMatchObject({glyph: '○', words: 'not built out', tone: 'dim', isDeployed: false});
  expect(describeStatus('DEPLOY_APPLICATION_SUCCESS')).toMatchObject({glyph: '●', words: 'deployed', isDeployed: true});
});

test.each<readonly [string | null, string, string]>([
  [null, '○ not built out', 'dim'],
  ['DEPLOY_APPLICATION_SUCCESS', '● deployed', 'good'],
  ['DEPLOY_APPLICATION_FAILED', '✗ deploy failed', 'bad'],
  ['ERROR_PENDING', '✗ error pending', 'bad'],
  ['DEPLOY_APPLICATION_RUNNING', '◐ deploy running', 'busy'],
  ['PENDING', '◐ pending', 'busy'],
  ['DEPLOYING', '◐ deploying', 'busy'],
  ['WAITING', '? waiting', 'plain'],
  ['START_DONE', '? start done', 'plain'],
  ['PAUSED', '? paused', 'plain'],
])('%s is told as %s', (status, told, tone) => {
  const look = describeStatus(status);
  expect([`${look.glyph} ${look.words}`, look.tone]).toEqual([told, tone]);
});

test('what failed ranks first, then what is under way, anything else, deployed, and what is not built out', () => {
  const statuses = ['FAILED', 'RUNNING', 'PAUSED', 'DEPLOY_APPLICATION_SUCCESS', null];
  expect(statuses.map(status => describeStatus(status).rank)).toEqual([0, 2, 3, 4, 5]);
});
