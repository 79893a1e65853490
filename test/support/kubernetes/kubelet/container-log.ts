import {formatStamp, parseStamp, type StampZone} from '../world/stamps.ts';

/** `P` is a piece of a line that goes on, `F` the last piece of one. */
export type CriTag = 'P' | 'F';

export type OutputStream = 'stdout' | 'stderr';

/** One record of a container's log file. */
export type CriRecord = {
  readonly stampNs: bigint;
  readonly zone: StampZone;
  readonly stream: OutputStream;
  readonly tag: CriTag;
  /** A character a byte (latin1), since a runtime cuts pieces inside a character too. Without the line's end. */
  readonly bytes: string;
};

/** The file a runtime writes into; a rotated one lives on while somebody still reads it. */
export type LogFile = {readonly records: CriRecord[]; bytes: number};

export type ContainerLog = {
  /** Appends a line in pieces, and rotates once the file is too large. */
  write(line: {
    /** UTF-8 text without a line end. */
    readonly text: string;
    readonly stampNs: bigint;
    readonly stream: OutputStream;
    readonly zone?: StampZone;
  }): void;
  append(record: CriRecord): void;
  /** A new file becomes the log; readers without follow no longer see the older one. */
  rotate(): void;
  /** Its container runs no longer: a follower stops at the end. */
  end(): void;
  readonly newest: LogFile;
  readonly isEnded: boolean;
  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void;
};

export type ContainerLogOptions = {
  /** containerd cuts at 16 KB, conmon at 8 KB. */
  readonly pieceBytes: number;
  /** `containerLogMaxSize`. */
  readonly rotateBytes: number;
};

const recordBytes = (record: CriRecord): number => record.bytes.length + 45;

export const createContainerLog = ({pieceBytes, rotateBytes}: ContainerLogOptions): ContainerLog => {
  const listeners = new Set<() => void>();
  let newest: LogFile = {records: [], bytes: 0};
  let isEnded = false;

  const notify = (): void => {
    for (const listener of [...listeners]) {
      listener();
    }
  };

  const put = (record: CriRecord): void => {
    newest.records.push(record);
    newest.bytes += recordBytes(record);
  };

  const rotate = (): void => {
    newest = {records: [], bytes: 0};
    notify();
  };

  const rotateIfLarge = (): void => {
    if (newest.bytes > rotateBytes) {
      rotate();
    }
  };

  return {
    write: ({text, stampNs, stream, zone = 'Z'}) => {
      const bytes = Buffer.from(text, 'utf8').toString('latin1');
      let from = 0;
      for (; bytes.length - from > pieceBytes; from += pieceBytes) {
        put({stampNs, zone, stream, tag: 'P', bytes: bytes.slice(from, from + pieceBytes)});
      }
      put({stampNs, zone, stream, tag: 'F', bytes: bytes.slice(from)});
      notify();
      rotateIfLarge();
    },
    append: record => {
      put(record);
      notify();
      rotateIfLarge();
    },
    rotate,
    end: () => {
      isEnded = true;
      notify();
    },
    get newest() {
      return newest;
    },
    get isEnded() {
      return isEnded;
    },
    onChange: listener => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

/** Reads a file as a runtime wrote it. A line that is no record is passed over, as the kubelet does. */
export const parseCriFile = (file: Buffer): readonly CriRecord[] =>
  file
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .flatMap(line => {
      const match = /^(\S+) (stdout|stderr) ([^ ]*) (.*)$/s.exec(line);
      const stamp = parseStamp(match?.[1] ?? '');
      if (match === null || stamp === undefined) {
        return [];
      }
      const stream: OutputStream = match[2] === 'stderr' ? 'stderr' : 'stdout';
      const tag: CriTag = match[3]?.split(':')[0] === 'P' ? 'P' : 'F';
      return [{...stamp, stream, tag, bytes: match[4] ?? ''}];
    });

/** The stamp as the kubelet writes it out: nine digits, in the zone that the runtime wrote. */
export const stampOf = ({stampNs, zone}: CriRecord): string => formatStamp(stampNs, zone);
