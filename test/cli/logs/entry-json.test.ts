import {expect, test} from 'vitest';
import {formatEntryJson} from '#cli/logs/line-text.ts';
import type {Entry} from '#log/line/entry.ts';
import {parseInstant} from '#log/line/instant.ts';

const at = (second: number) => parseInstant(`2026-11-21T14:00:0${second}.000000001Z`) ?? 0n;
const gap = {kind: 'gap', id: 1, at: at(3), after: at(1), before: at(3)} as const;
const stamp = '2026-11-21T14:00:01.000000001Z';
const line = {kind: 'line', id: 1, at: at(1), raw: `${stamp} one`, textIndex: 31, late: false} as const;
const read = `"timestamp":"${stamp}","text":"one"`;
const range = '"after":"2026-11-21T14:00:01.000000001Z","before":"2026-11-21T14:00:03.000000001Z"';

test.each<[string, Entry, string]>([
  ['a gap', gap, `{"kind":"gap",${range}}`],
  [
    'a gap with its reason, what that rests on and how many lines came at once',
    {...gap, reason: 'unproven', proof: 'inferred', newLines: 1200},
    `{"kind":"gap",${range},"reason":"unproven","proof":"inferred","newLines":1200}`,
  ],
  [
    'a gap of one source, with how many lines are missing and what the service says',
    {
      ...gap,
      reason: 'told',
      source: {pod: 'web-1', container: 'php'},
      missingLines: 12,
      why: 'a \u001bfile was emptied',
    },
    `{"kind":"gap",${range},"reason":"told","pod":"web-1","container":"php","missing":12,"why":"a \\u001bfile was emptied"}`,
  ],
  [
    'a line with its source',
    {...line, source: {pod: 'web-1', container: 'php', stream: 'stderr'}},
    `{"kind":"line",${read},"pod":"web-1","container":"php","stream":"stderr"}`,
  ],
  ['a line of which only the pod is known', {...line, source: {pod: 'web-1'}}, `{"kind":"line",${read},"pod":"web-1"}`],
  ['a line of unknown source', {...line, source: {}}, `{"kind":"line",${read}}`],
  ['a gap that grew', {...gap, reason: 'share', grows: true}, `{"kind":"gap",${range},"reason":"share","grows":true}`],
  ['a quiet', {kind: 'quiet', id: 1, at: at(3), since: at(1)}, `{"kind":"quiet",${range}}`],
])('%s', (_, entry, json) => {
  expect(formatEntryJson(entry)).toBe(json);
});

test('with several branches each record names its own', () => {
  expect(formatEntryJson({kind: 'quiet', id: 1, at: at(3), since: at(1)}, {branch: 'staging'})).toBe(
    `{"kind":"quiet","branch":"staging",${range}}`,
  );
});
