import {expect, test} from 'vitest';
import type {Change} from '#log/line/entry.ts';
import {changeWords} from '#log/words/describe-marker.ts';

const activity = {kind: 'activity', action: undefined, status: undefined, createdBy: undefined} as const;

test.each<readonly [Change, string]>([
  [{kind: 'status', before: 'ok', now: 'building'}, 'status ok → building'],
  [{kind: 'status', before: null, now: 'ok'}, 'status not built out → ok'],
  [{kind: 'status', before: 'ok', now: null}, 'status ok → not built out'],
  [{...activity, action: 'deploy', status: 'done', createdBy: 'ada'}, 'deploy done by ada'],
  [{...activity, action: 'deploy', status: 'done'}, 'deploy done'],
  [{...activity, action: 'deploy', createdBy: 'ada'}, 'deploy by ada'],
  [{...activity, action: 'deploy', status: '', createdBy: ''}, 'deploy'],
  [{...activity, status: 'done'}, 'an activity done'],
  [{...activity, action: '', status: 'done'}, 'an activity done'],
  [{kind: 'trouble', who: 'pod web-1/php', reason: 'OOMKilled'}, 'pod web-1/php: OOMKilled'],
  [{kind: 'trouble', who: 'pod web-1/php', reason: ''}, 'pod web-1/php: trouble'],
  [{kind: 'trouble', who: '', reason: 'OOMKilled'}, 'OOMKilled'],
])('%j is “%s”', (change, words) => {
  expect(changeWords(change)).toBe(words);
});
