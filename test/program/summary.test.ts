import {afterEach, beforeEach, test} from 'vitest';
import {type SampleService, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

const stamp = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, 19);

/** Twenty minutes of calm, and in the tenth half a minute of errors. */
const lines = Array.from({length: 1200}, (_, second) =>
  second >= 600 && second < 630
    ? `${stamp(second)}.000000000Z ERROR order ${second} was lost`
    : `${stamp(second)}.000000000Z 10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "GET /cart/${second} HTTP/1.1" 200 157`,
);

test('Enter in the summary filters by the row, and a peak of the strip is gone to', async () => {
  service.setWindow({lines, pods: [{name: 'shop-0'}]});
  const program = service.open({args: ['shop', 'master'], columns: 80, rows: 24});
  await program.waitFor(/\[[▁-█]+\] +most 30 in 30 s/);
  program.press('u');
  await program.waitFor('summary of 1,200 lines   14:00:00 to 14:19:59');
  await program.waitFor(/▸ +30 +ERROR order # was lost/);
  program.press('End');
  await program.waitFor(/▸ +30 +2 % +ERROR order # was lost +14:10:00 to 14:10:29/);
  await program.waitFor(' such as ERROR order 600 was lost');
  program.press('Enter');
  await program.waitFor(/30 of 1,200 +x removes/);
  await program.waitFor('ERROR order 629 was lost');
  program.press('x');
  await program.waitFor(rows => !rows.join('').includes('x removes'));
  program.press('<');
  await program.waitFor(/^▸✗ 14:10:00 ERROR order 600/m);
  await program.waitFor(/a peak: \d+ errors, \d+ lines in \d+ s/);
  program.press('o', 'o');
  await program.waitFor(/14:0\d:\d\d to 14:1\d:\d\d *$/m);
});
