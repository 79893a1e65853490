import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {lineSources} from '#cli/line-sources.ts';
import {readServeSettings} from '#config/serve/serve-settings.ts';
import {instantFromMs} from '#log/line/instant.ts';
import type {ServedWindow} from '#service/backend/backend.ts';
import {createLineBackend} from '#service/served/line-backend.ts';
import {createTempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

/**
 * A folder for a command that adds its process id to the file `pids` with each run, and backends over branch `b` of site
 * `s`, which are closed when the test ends.
 */
export const createCommandFolder = ({
  pod,
  windowLines = 1000,
  nowMs,
}: {
  /** The source of the branch's pod, and further pods, as TOML. */
  readonly pod: string;
  readonly windowLines?: number | undefined;
  readonly nowMs: number;
}) => {
  const folder = createTempFolder('command');
  onTestFinished(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);
  const warnings: string[] = [];
  let skippedMs = 0;
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
${pod}
`,
  );
  const readPids = (): readonly number[] =>
    existsSync(at('pids')) ? readFileSync(at('pids'), 'utf8').trim().split('\n').map(Number) : [];
  return {
    at,
    warnings,
    /** A script that waits for the file finds it whole. */
    write: (name: string, content: string | Buffer) => {
      writeFileSync(at('unnamed'), content);
      renameSync(at('unnamed'), at(name));
    },
    /** Lets the time pass that waits go by. */
    skip: (durationMs: number) => {
      skippedMs += durationMs;
    },
    waitForRuns: (count: number) =>
      waitFor(() => readPids().length >= count && readPids(), {what: `${count} runs`}).then(pids => pids[count - 1]),
    countRuns: () => readPids().length,
    open: async () => {
      const backend = createLineBackend({
        ...(await readServeSettings(at('serve.toml'), lineSources)),
        now: () => instantFromMs(nowMs),
        monotonicMs: () => performance.now() + skippedMs,
        warn: message => warnings.push(message),
        pollIntervalMs: 1,
      });
      await backend.start();
      onTestFinished(() => backend.close());
      const readWindow = async (): Promise<ServedWindow> =>
        (await backend.readWindow('s', 'b')) ?? {lines: [], pods: []};
      return {
        close: () => backend.close(),
        readWindow,
        /** Resolves with the lines of the window once the last one ends with this. */
        waitForLast: (last: string) =>
          waitFor(
            async () => {
              const {lines} = await readWindow();
              return lines.at(-1)?.endsWith(last) && lines;
            },
            {what: last},
          ),
      };
    },
  };
};
