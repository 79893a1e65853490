import {afterEach, beforeEach, expect, test} from 'vitest';
import {builtProgram} from '../support/built-program.ts';
import {type SampleService, sampleBranches, startSampleService} from './sample-service.ts';

let service: SampleService;
beforeEach(async () => {
  service = await startSampleService();
});
afterEach(() => service.close());

const linkStart = '\u001b]8;;https://master.example.com/\u001b\\';

test('hosts of the record are no links where the terminal has none', async () => {
  // A pseudo-terminal has a TERM of its own, so another one takes env(1).
  const args = ['TERM=vt100', builtProgram.command, builtProgram.launcher, 'shop'];
  const program = service.open({command: '/usr/bin/env', args, columns: 140, rows: 60});
  await program.waitFor('▸ ✗ staging');
  program.press('j', 'j', 'j');
  await program.waitFor(/ branch +master\.example\.com/);
  expect(program.output()).not.toContain('\u001b]8;');
});

test('hosts of the record are links; on a tall and narrow terminal it stands below the list and scrolls; what changed while one looked elsewhere is told in the list', async () => {
  const program = service.open({args: ['shop'], columns: 140, rows: 60});
  await program.waitFor('▸ ✗ staging');
  program.press('j', 'j', 'j');
  await program.waitFor(/ branch +master\.example\.com/);
  expect(program.output()).toContain(linkStart);
  program.resize(80, 50);
  await program.waitFor(rows => rows.length === 50 && !rows.join('').includes('master.example.com'));
  program.press('d');
  await program.waitFor(rows => rows.some(row => row.includes('▸ ● master')) && rows.some(row => row === ' Branch'));
  program.press('Down');
  await program.waitFor(/▸ ● feature\/checkout[\s\S]*name +feature\/checkout/);
  program.press('Tab', 'End');
  await program.waitFor(/▸ db password +\*{8}/);
  expect(program.screenText().join('\n')).toContain('▸ ● feature/checkout');
  program.press('Esc', 'd');
  await program.waitFor(rows => !rows.some(row => row.includes('db password')));
  program.resize(120, 24);
  await program.waitFor('▸ ● feature/checkout');
  service.setBranches(
    '5f3c0a12',
    sampleBranches.map(branch =>
      branch.name === 'staging' ? {...branch, status: 'DEPLOY_APPLICATION_SUCCESS'} : branch,
    ),
  );
  program.press('r');
  await program.waitFor(/\+● staging +deployed +new status/);
  // Only the highlight on the branch itself takes it away, when it goes on.
  program.press('j');
  await program.waitFor(/▸\+● staging/);
  program.press('j');
  await program.waitFor(rows => !rows.join('').includes('new status'));
});
