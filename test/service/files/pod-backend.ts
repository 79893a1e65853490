import {appendFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {instantFromMs} from '#log/line/instant.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {Backend, ServedWindow} from '#service/backend/backend.ts';
import {UnavailableError} from '#service/backend/errors.ts';
import {followFiles} from '#service/files/file-source.ts';
import {createLineBackend} from '#service/served/line-backend.ts';
import type {LineBackendOptions, ServedPod} from '#service/served/served-records.ts';
import type {PodReading} from '#service/window/line-stamper.ts';
import {createTempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

/** A folder with logs, and backends over it that are closed when the test ends. */
export type LogFolder = {
  readonly path: string;
  readonly warnings: string[];
  append(name: string, text: string | Buffer): void;
  /** Opens a backend with one branch `b` of site `s`; each pod a list of file names, and how its lines are read. */
  open(
    pods: Readonly<Record<string, readonly string[]>>,
    options?: Partial<LineBackendOptions>,
    readings?: Readonly<Record<string, PodReading>>,
  ): Promise<Backend>;
};

/** Long past the epoch and fixed, so that stamps can be written out. */
export const testNowMs = Date.UTC(2025, 0, 1);

export const createLogFolder = (): LogFolder => {
  const folder = createTempFolder('files');
  const {path} = folder;
  onTestFinished(() => folder.remove());
  const warnings: string[] = [];
  mkdirSync(join(path, 'log'));
  return {
    path,
    warnings,
    append: (name, text) => appendFileSync(join(path, 'log', name), text),
    open: async (pods, options = {}, readings = {}) => {
      const filePods: ServedPod[] = Object.entries(pods).map(([name, files]) => ({
        name,
        stamps: readings[name]?.stamps,
        source: followFiles(
          files.map(file => join(path, 'log', file)),
          readings[name]?.format,
        ),
      }));
      const backend = createLineBackend({
        sites: [{id: 's', branches: [{id: 'b', name: 'master', status: 'UP', fields: {}, pods: filePods}]}],
        windowLines: 1000,
        windowPerPod: false,
        stateFolder: join(path, 'state'),
        now: () => instantFromMs(testNowMs),
        monotonicMs: () => performance.now(),
        warn: message => warnings.push(message),
        // A scan and a look before each answer, so that a test need not wait.
        pollIntervalMs: 1,
        ...options,
      });
      await backend.start();
      onTestFinished(() => backend.close());
      return backend;
    },
  };
};

/** The window's lines, without their stamps. */
export const readTexts = async (backend: Backend): Promise<readonly string[]> =>
  (await readLines(backend)).map(line => line.slice(31));

/** Waits until the window has this many lines, and answers their texts. */
export const waitForTexts = (backend: Backend, count: number): Promise<readonly string[]> =>
  waitFor(
    async () => {
      const texts = await readTexts(backend);
      return texts.length >= count && texts;
    },
    {what: `${count} lines`},
  );

/** The window's lines. */
export const readLines = async (backend: Backend): Promise<readonly string[]> =>
  (await readOpened(backend, 'b'))?.lines ?? [];

/** The window of a branch. Very many files, or some on a busy machine, are opened while answers say so. */
export const readOpened = async (
  backend: Backend,
  branchId: string,
  after?: ReadUpTo,
): Promise<ServedWindow | undefined> => {
  const {window} = await waitFor(
    async () => {
      try {
        return {window: await backend.readWindow('s', branchId, after)};
      } catch (error) {
        if (error instanceof UnavailableError) {
          return false;
        }
        throw error;
      }
    },
    {what: 'the files to be opened'},
  );
  return window;
};
