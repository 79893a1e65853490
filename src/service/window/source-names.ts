import {setNewest} from '#base/bounds.ts';
import type {SourceName} from '#log/line/entry.ts';
import {sourceKey} from '#log/words/source-words.ts';
import type {PodReading, StampedLine, StampedStream} from './line-stamper.ts';

/** Names that are remembered: a glob over dated files has a new one every day. */
const namesMax = 1_000;

export const createSourceNames = (pods: ReadonlyMap<number, PodReading>) => {
  const known = new Map<string, SourceName>();
  let last: (Pick<StampedStream, 'podKey' | 'names'> & {ownStream: string | undefined; source: SourceName}) | undefined;

  const intern = (name: SourceName): SourceName => {
    const {pod, container, stream} = name;
    const key = sourceKey(name);
    const source = known.get(key) ?? {
      ...(pod !== undefined && {pod}),
      ...(container !== undefined && {container}),
      ...(stream !== undefined && {stream}),
    };
    setNewest(known, key, source, namesMax);
    return source;
  };

  const make = ({podKey, names = {}}: StampedStream, ownStream: string | undefined): SourceName => {
    const pod = pods.get(podKey);
    const stream = names.stream ?? ownStream ?? (pod?.hasFiles ? names.file : undefined);
    const container = names.container ?? (pod?.hasNamedFiles ? names.file : undefined);
    return intern({pod: pod?.name, container, stream});
  };

  return {
    /** Returns the object for these names. */
    intern,
    /** Returns the source of a line of a stream. */
    ofLine: (stream: StampedStream, ownStream: StampedLine['ownStream']): SourceName => {
      const {podKey, names} = stream;
      if (last?.podKey !== podKey || last.names !== names || last.ownStream !== ownStream) {
        last = {podKey, names, ownStream, source: make(stream, ownStream)};
      }
      return last.source;
    },
    /** Returns the source of a whole stream: without a name that its lines have each on their own. */
    ofStream: (stream: StampedStream): SourceName => {
      const format = pods.get(stream.podKey)?.format ?? stream.stamps.format;
      const {file: _file, ...names} = stream.names ?? {};
      return make(format === 'container' ? {...stream, names} : stream, undefined);
    },
  };
};

/** The sources of a branch's lines, one object each. */
export type SourceNames = ReturnType<typeof createSourceNames>;
