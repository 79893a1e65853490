import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {SourceName} from '#log/line/entry.ts';

/** A placeholder for the source of lines whose source the service does not report. */
export const unsaidSource: SourceName = {};

/** Returns a text that two sources share if and only if they have the same fields, also in different logs. */
export const sourceKey: (name: SourceName) => string = once(createWeakCache(), ({pod, container, stream}: SourceName) =>
  JSON.stringify([pod, container, stream]),
);

/** The source of a key of `sourceKey`. */
export const sourceOfKey = (key: string): SourceName => {
  const [pod, container, stream] = (JSON.parse(key) as (string | null)[]).map(part => part ?? undefined);
  return {pod, container, stream};
};

/** Names who wrote a line: `web-1 php`, or the stream if that is all that is known. Foreign text. */
export const sourceWords = ({pod, container, stream}: SourceName): string =>
  [pod, container].filter(word => word !== undefined).join(' ') || (stream ?? '');

/** The same with the stream: `web-1 php stderr`. Foreign text. */
export const sourceWordsInFull = (name: SourceName): string => {
  const {pod, container, stream} = name;
  return [pod, container, stream].filter(word => word !== undefined).join(' ');
};
