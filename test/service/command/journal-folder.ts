import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {onTestFinished, vi} from 'vitest';
import {createCommandFolder} from '../command-folder.ts';

/** A folder with a program `journalctl`, and backends over it that are closed when the test ends. */
export const createJournalFolder = ({
  journalctl,
  pod = 'units = ["shop.service"]',
  windowLines,
  nowMs,
}: {
  /** A shell script, run in the folder. */
  readonly journalctl: string;
  /** Which entries, as TOML. */
  readonly pod?: string;
  readonly windowLines?: number;
  readonly nowMs: number;
}) => {
  const {at, ...folder} = createCommandFolder({pod: `source = "journald"\n${pod}`, windowLines, nowMs});
  mkdirSync(at('bin'));
  // A run counts once its arguments are there, whole.
  const look = `[ "$1" = --lines=1 ] && { [ -f missing ] && cat missing >&2; [ -f journal ] && tail -n 1 journal; exit 0; }`;
  const noteRun = `printf '%s\\n' "$@" > args.new\nmv args.new args\necho $$ >> pids`;
  writeFileSync(at('bin/journalctl'), `#!/bin/sh\n${look}\n${noteRun}\n${journalctl}`);
  chmodSync(at('bin/journalctl'), 0o755);
  vi.stubEnv('PATH', `${at('bin')}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return {
    ...folder,
    path: at('.'),
    append: (name: string, content: string) => writeFileSync(at(name), content, {flag: 'a'}),
    /** The arguments of the last run. */
    readArguments: () => readFileSync(at('args'), 'utf8').trim().split('\n'),
    open: async () => {
      const backend = await folder.open();
      return {
        ...backend,
        /** Resolves with the texts of the window once the last one is this. */
        waitForLast: async (last: string) =>
          (await backend.waitForLast(` ${last}`)).map(line => line.slice(line.indexOf(' ') + 1)),
      };
    },
  };
};
