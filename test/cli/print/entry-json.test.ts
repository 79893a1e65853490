import {expect, test} from 'vitest';
import {formatEntryJson} from '../../../src/cli/print/entry-json.ts';
import type {Entry} from '../../../src/log/line/entry.ts';
import {parseInstant} from '../../../src/log/line/instant.ts';

const at = (second: number) => parseInstant(`2026-11-21T14:00:0${second}.000000001Z`) ?? 0n;
const gap = {kind: 'gap', id: 1, at: at(3), after: at(1), before: at(3)} as const;
const range = '"after":"2026-11-21T14:00:01.000000001Z","before":"2026-11-21T14:00:03.000000001Z"';

test.each<[string, Entry, string]>([
  ['a gap', gap, `{"kind":"gap",${range}}`],
  [
    'a gap with its reason, what that rests on and how many lines came at once',
    {...gap, reason: 'unproven', proof: 'inferred', newLines: 1200},
    `{"kind":"gap",${range},"reason":"unproven","proof":"inferred","newLines":1200}`,
  ],
  ['a gap that grew', {...gap, reason: 'share', grows: true}, `{"kind":"gap",${range},"reason":"share","grows":true}`],
  ['a quiet', {kind: 'quiet', id: 1, at: at(3), since: at(1)}, `{"kind":"quiet",${range}}`],
])('%s', (_, entry, json) => {
  expect(formatEntryJson(entry)).toBe(json);
});

test('with several branches each record names its own', () => {
  expect(formatEntryJson({kind: 'quiet', id: 1, at: at(3), since: at(1)}, 'staging')).toBe(
    `{"kind":"quiet","branch":"staging",${range}}`,
  );
});
