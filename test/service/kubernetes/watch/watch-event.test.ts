import {expect, test} from 'vitest';
import {parseWatchEvent} from '#service/kubernetes/watch/watch-lines.ts';

test.each([
  [
    {code: 410, reason: 'Expired', message: 'too old'},
    {status: 410, reason: 'Expired', message: 'too old'},
  ],
  [{kind: 'Status'}, {status: undefined, reason: undefined, message: 'no reason given'}],
])('an end of the watch says why, or that no reason was given: %o', (object, end) => {
  expect(parseWatchEvent(JSON.stringify({type: 'ERROR', object}))).toEqual({kind: 'failed', ...end});
});
