import {join} from 'node:path';
import {Readable} from 'node:stream';
import {onTestFinished} from 'vitest';
import {lastNumberOf} from '#log/ingest/numbered.ts';
import {instantFromMs, parseInstant} from '#log/line/instant.ts';
import type {ReadUpTo} from '#log/window/window-claims.ts';
import type {ServedWindow} from '#service/backend/backend.ts';
import {findOpened} from '#service/files/find-opened.ts';
import {
  createOpenedBackend,
  type OpenedBackend,
  type OpenedBackendOptions,
  openedId,
} from '#service/files/opened-backend.ts';
import {findLastLines} from '#service/window/fingerprint.ts';
import {createTempFolder} from '../../../support/temp-folder.ts';

type Opening = Partial<
  Pick<OpenedBackendOptions, 'isAllAtOnce' | 'follows' | 'goal' | 'firstBytesMax' | 'firstLinesMax' | 'monotonicMs'>
> & {
  readonly tail?: number;
  readonly stdin?: Readable;
  readonly command?: readonly string[];
  readonly withRotated?: boolean;
};

/** A folder with files to open. What is opened is closed when the test ends. */
export const createOpenedFolder = () => {
  const folder = createTempFolder('opened');
  onTestFinished(folder.remove);
  const warnings: string[] = [];
  const path = (name: string): string => join(folder.path, name);
  const open = async (words: readonly string[], opening: Opening = {}): Promise<OpenedBackend> => {
    const {tail, stdin = Readable.from([]), command = [], withRotated = false, ...options} = opening;
    const backend = createOpenedBackend({
      name: 'test',
      sources: await findOpened({words, command, withRotated, stdin}),
      beginsAt: async handle =>
        tail === undefined ? 0 : (await findLastLines(handle, (await handle.stat()).size, tail)).offset,
      firstBytesMax: 64 * 1024 * 1024,
      isAllAtOnce: false,
      follows: true,
      now: () => instantFromMs(Date.now()),
      monotonicMs: () => performance.now(),
      warn: message => warnings.push(message),
      ...options,
    });
    onTestFinished(() => backend.close());
    await backend.start();
    return backend;
  };
  return {folder: folder.path, path, open, warnings};
};

/** A line with a time: so many seconds after a fixed one. */
export const timed = (second: number, text: string): string =>
  `2026-11-21T14:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}Z ${text}\n`;

export const read = async (from: OpenedBackend, after?: ReadUpTo): Promise<ServedWindow> => {
  const window = await from.readWindow(openedId, openedId, after);
  if (!window) {
    throw new Error('there is no such branch');
  }
  return window;
};

export const textsOf = ({lines}: ServedWindow): readonly string[] =>
  lines.map(line => line.slice(line.indexOf(' ') + 1));

export const placeAfter = ({numbering, lines}: ServedWindow): ReadUpTo => ({
  series: numbering?.series ?? '',
  last: numbering === undefined ? 0 : Math.max(numbering.first - 1, lastNumberOf(numbering, lines.length)),
});

/** Reads on until something holds of an answer. */
export const readUntil = async (
  from: OpenedBackend,
  first: ServedWindow,
  isReached: (window: ServedWindow) => boolean,
): Promise<ServedWindow> => {
  for (let window = first; ; window = await read(from, placeAfter(window))) {
    if (isReached(window)) {
      return window;
    }
  }
};

export const stampsOf = ({lines}: ServedWindow): readonly (bigint | undefined)[] =>
  lines.map(line => parseInstant(line.slice(0, line.indexOf(' '))));
