import {afterEach, beforeEach, expect, test} from 'vitest';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

test('while data stops and the connection stands, the header counts how old the last answer is', async () => {
  const program = service.open({args: ['shop', 'master'], columns: 120, rows: 24});
  await program.waitFor('following');
  service.failAlways({kind: 'stall', at: 'body'});
  const ageIn = (rows: readonly string[]): number => Number(/ stale (\d+) s /.exec(rows[0] ?? '')?.[1] ?? 0);
  const rows = await program.waitFor(now => ageIn(now) > 0, {what: 'the age', deadlineMs: 20_000});
  expect(rows.join('\n')).not.toContain('following');
  expect(rows.at(-2)).toMatch(/^ waiting for an answer since \d\d:\d\d:\d\d/);
  await program.waitFor(now => ageIn(now) > ageIn(rows), {what: 'a later age'});
});
