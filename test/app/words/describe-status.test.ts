import {expect, test} from 'vitest';
import {describeStatus} from '#app/words/describe-status.ts';

/** Each says it by one word only: `PENDING` at the end would be work in progress for its last three letters. */
const busy = ['PENDING APPROVAL', 'RUNNING 2 OF 3', 'UPGRADE_IN_PROGRESS', 'START_PODS', 'DEPLOYING', 'ROLLING_BACK'];

test.each(busy)('%s is work in progress', status => {
  expect(describeStatus(status)).toMatchObject({
    glyph: '◐',
    words: status,
    tone: 'busy',
    isDeployed: false,
    isFault: false,
  });
});

test.each(['WAITING_FOR_PENDING', 'START_SUCCESS', 'RUNNING_DONE', 'PAUSED'])('%s is shown as it is', status => {
  expect(describeStatus(status)).toMatchObject({glyph: '?', words: status, tone: 'plain', isFault: false});
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
  ['ERROR_PENDING', '✗ ERROR_PENDING', 'bad'],
  ['DEPLOY_APPLICATION_RUNNING', '◐ deploy running', 'busy'],
  ['PENDING', '◐ PENDING', 'busy'],
  ['DEPLOYING', '◐ DEPLOYING', 'busy'],
  ['WAITING', '? WAITING', 'plain'],
  ['START_DONE', '? START_DONE', 'plain'],
  ['PAUSED', '? PAUSED', 'plain'],
])('%s is told as %s', (status, told, tone) => {
  const look = describeStatus(status);
  expect([`${look.glyph} ${look.words}`, look.tone]).toEqual([told, tone]);
});

test('deployed branches rank first, then what failed, what is under way, anything else, and what is not built out', () => {
  const statuses = ['DEPLOY_APPLICATION_SUCCESS', 'FAILED', 'RUNNING', 'PAUSED', null];
  expect(statuses.map(status => describeStatus(status).rank)).toEqual([0, 1, 2, 3, 4]);
});
