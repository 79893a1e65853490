import {expect, test} from 'vitest';
import {describeStatus} from '../../src/app/describe-status.ts';

/** Each says it by one word only: `PENDING` at the end would be work in progress for its last three letters. */
const busy = ['PENDING APPROVAL', 'RUNNING 2 OF 3', 'UPGRADE_IN_PROGRESS', 'START_PODS', 'DEPLOYING', 'ROLLING_BACK'];

test.each(busy)('%s is work in progress', status => {
  expect(describeStatus(status)).toEqual({glyph: '◐', words: status, tone: 'busy', isDeployed: false, isFault: false});
});

test.each(['WAITING_FOR_PENDING', 'START_SUCCESS', 'RUNNING_DONE', 'PAUSED'])('%s is shown as it is', status => {
  expect(describeStatus(status)).toMatchObject({glyph: '?', words: status, tone: 'plain', isFault: false});
});

test.each(['DEPLOY_APPLICATION_FAILED', 'START_ERROR', 'failing'])('%s is a fault', status => {
  expect(describeStatus(status)).toMatchObject({glyph: '✗', tone: 'bad', isFault: true});
});

test('the two statuses that the specification names have words of their own', () => {
  expect(describeStatus(null)).toMatchObject({glyph: '○', words: 'not built out', tone: 'dim', isDeployed: false});
  expect(describeStatus('DEPLOY_APPLICATION_SUCCESS')).toMatchObject({glyph: '●', words: 'deployed', isDeployed: true});
});
