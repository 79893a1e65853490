import {afterAll, beforeAll, expect, test} from 'vitest';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;

beforeAll(async () => {
  service = await startSampleService({extraSites: ['team/blog']});
});
afterAll(() => service.close());

test('a link opens the branch at its time, and the log stands there', async () => {
  const program = service.open({args: ['shop/master@2026-11-21T14:02:20Z'], columns: 90, rows: 9});
  await program.waitFor(rows => rows[3]?.startsWith('▸  14:02:20') === true);
  await program.waitFor('shop › master');
  await program.waitFor('paused at 14:02:06');
});

test('a link to a time before all that the service holds says where its log begins', async () => {
  const program = service.open({args: ['5f3c0a12/b-master@2026-11-20T00:00:00Z'], columns: 90, rows: 9});
  await program.waitFor('the buffer begins at 2026-11-21 14:00:00');
  await program.waitFor(rows => rows.some(row => row.startsWith('▸  14:00:00')));
});

test('a link without a time follows the log', async () => {
  const program = service.open({args: ['shop/master'], columns: 90, rows: 9});
  await program.waitFor('shop › master');
  await program.waitFor('following');
  program.press('q');
  expect(await program.exitCode()).toBe(0);
});

test('a site that is called so is no link', async () => {
  const program = service.open({args: ['team/blog'], columns: 90, rows: 9});
  await program.waitFor(/^ team\/blog {3}production/m);
});
