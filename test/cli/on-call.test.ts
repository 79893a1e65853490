import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseArguments} from '#cli/arguments/args.ts';
import {parseDeepLink} from '#log/words/deep-link.ts';
import {makeBuiltBranch} from '../support/fake-records.ts';
import {startFakeService} from '../support/fake-service.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {createQuickClock} from './quick-clock.ts';
import {runCommand, startCommand} from './run-command.ts';

const [, block = ''] =
  /^## A shift in seven commands\n.*?```sh\n(.*?)```/ms.exec(readFileSync('docs/on-call.md', 'utf8')) ?? [];
const commands = block
  .trim()
  .split('\n')
  .map(row =>
    [...row.replace(/ >.*/, '').matchAll(/'([^']*)'|(\S+)/g)].map(([word, quoted]) => quoted ?? word).slice(1),
  );

const startMs = Date.UTC(2026, 10, 21, 14);
const stamp = (second: number): string => new Date(startMs + second * 1000).toISOString();

test('the commands of a shift, from the page to the post-mortem', async () => {
  const [guard = [], browse = [], incident = [], watch = [], save = [], take = [], timeline = []] = commands;
  const folder = createTempFolder('on-call');
  const service = await startFakeService();
  try {
    const clock = createQuickClock(1000);
    service.setBranches('shop', [makeBuiltBranch('master', 'master')]);
    service.setLog('master', () => {
      const now = Math.floor(clock.monotonicMs() / 1000);
      service.setDate(new Date(startMs + now * 1000).toUTCString());
      const lines = Array.from({length: 1200 + now}, (_, index) => index - 1200).map(second => {
        const isError = second >= 60 && second < 200 && second % 2 === 0;
        const text = isError ? 'level=error msg="tax service refused"' : 'level=info msg="order stored"';
        return `${stamp(second)} ${text} id=${second}`;
      });
      const numbering = {series: 's', first: 1, losses: [], runs: [[0, lines.length]], sources: [{pod: 'web-1'}]};
      return {lines, pods: [{name: 'web-1'}], more: {branchlog: numbering}};
    });
    const page = join(folder.path, 'page');
    const paged = join(folder.path, 'paged');
    writeFileSync(page, `#!/bin/sh\ncat >> ${paged}\n`, {mode: 0o755});
    const options = {env: {...service.env, PATH: process.env.PATH}, homeFolder: folder.path, clock};
    const running = startCommand(
      guard.map(word => word.replace('./page', page)),
      options,
    );
    await service.waitForRequests(1);
    while (!(existsSync(paged) && readFileSync(paged, 'utf8').endsWith('\n')) && clock.monotonicMs() < 400_000) {
      await clock.sleep(1000);
    }
    const {what, link} = JSON.parse(readFileSync(paged, 'utf8'));
    expect([what, link, parseArguments(browse).command]).toEqual(['found', browse[0], 'browse']);
    expect(parseDeepLink(link)).toMatchObject({site: 'shop', branch: 'master'});
    const judged = await runCommand(incident, options);
    expect([judged.code, judged.stdout]).toEqual([0, expect.stringMatching(/^incident since 2026-11-21T14:01:00Z/)]);
    expect((await runCommand(watch, options)).code).toBe(0);
    const inFolder = (words: readonly string[]): readonly string[] =>
      words.map(word => word.replace('shift.branchlog', join(folder.path, 'shift.branchlog')));
    expect(await runCommand(inFolder(save), options)).toMatchObject({code: 0, stdout: `${inFolder(take)[0]}\n`});
    const taken = await runCommand(inFolder(take), {});
    expect([taken.code, taken.stdout]).toEqual([0, expect.stringContaining('tax service refused')]);
    await clock.sleep(60_000);
    running.signal('SIGTERM');
    await running.code;
    const written = await runCommand(timeline, options);
    const rows = written.stdout
      .split('\n')
      .flatMap(row => /\| \*\*(\w+)\*\* (\w+)/.exec(row)?.slice(1).join(' ') ?? []);
    expect([written.code, rows]).toEqual([
      0,
      ['onset Errors', 'onset 30', 'guard found', 'end over', 'end over', 'guard ended'],
    ]);
  } finally {
    await service.close();
    folder.remove();
  }
});
