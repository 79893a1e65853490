import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished, vi} from 'vitest';
import {readServeSettings} from '../../../src/config/serve/serve-settings.ts';
import {instantFromMs} from '../../../src/log/line/instant.ts';
import {createLineBackend} from '../../../src/service/served/line-backend.ts';
import {lineSources} from '../../../src/service/served/line-sources.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

/** A folder with a program `journalctl`, and backends over it that are closed when the test ends. */
export const createJournalFolder = ({
  journalctl,
  pod = 'units = ["shop.service"]',
  windowLines = 1000,
  nowMs,
}: {
  /** A shell script, run in the folder. */
  readonly journalctl: string;
  /** Which entries, as TOML. */
  readonly pod?: string;
  readonly windowLines?: number;
  readonly nowMs: number;
}) => {
  const folder = createTempFolder('journald');
  onTestFinished(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);
  const warnings: string[] = [];
  let skippedMs = 0;
  mkdirSync(at('bin'));
  writeFileSync(at('bin/journalctl'), `#!/bin/sh\necho $$ >> pids\nprintf '%s\\n' "$@" > args\n${journalctl}`);
  chmodSync(at('bin/journalctl'), 0o755);
  vi.stubEnv('PATH', `${at('bin')}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  writeFileSync(
    at('serve.toml'),
    `tenant = "t"
window_lines = ${windowLines}
[[sites]]
id = "s"
[[sites.branches]]
id = "b"
name = "master"
status = "UP"
[[sites.branches.pods]]
name = "app"
source = "journald"
${pod}
`,
  );
  const readPids = (): readonly number[] =>
    existsSync(at('pids')) ? readFileSync(at('pids'), 'utf8').trim().split('\n').map(Number) : [];
  return {
    path: folder.path,
    warnings,
    write: (name: string, content: string) => writeFileSync(at(name), content),
    append: (name: string, content: string) => writeFileSync(at(name), content, {flag: 'a'}),
    /** The arguments of the last run. */
    readArguments: () => readFileSync(at('args'), 'utf8').trim().split('\n'),
    /** Lets the time pass that waits go by. */
    skip: (durationMs: number) => {
      skippedMs += durationMs;
    },
    waitForRuns: (count: number) =>
      waitFor(() => readPids().length >= count && readPids(), {what: `${count} runs`}).then(pids => pids[count - 1]),
    open: async () => {
      const backend = createLineBackend({
        ...readServeSettings(at('serve.toml'), lineSources),
        now: () => instantFromMs(nowMs),
        monotonicMs: () => performance.now() + skippedMs,
        warn: message => warnings.push(message),
        lookIntervalMs: 1,
      });
      await backend.start();
      onTestFinished(() => backend.close());
      const readWindow = async () => (await backend.readWindow('s', 'b')) ?? {lines: [], pods: [], arrivals: undefined};
      return {
        close: () => backend.close(),
        readWindow,
        /** Resolves with the texts of the window once the last one is this. */
        waitForLast: (last: string) =>
          waitFor(
            async () => {
              const {lines} = await readWindow();
              const texts = lines.map(line => line.slice(line.indexOf(' ') + 1));
              return texts.at(-1) === last && texts;
            },
            {what: last},
          ),
      };
    },
  };
};
