import {parseInstant} from '#log/line/instant.ts';
import {CallError} from '#service/backend/errors.ts';
import type {ContainerLogs, ContainerPlace, LogQuery} from '#service/containers/container-logs.ts';
import {drainAnswer, type LinkQuery} from '#service/link/link.ts';
import type {EngineClient} from '../engine-client.ts';

/** Streams by the first byte of a frame's header. The last is the engine's own: it says that it cannot read a log. */
const streams = ['stdout', 'stdout', 'stderr', 'engine'] as const;
type LogStreamName = (typeof streams)[number];

const headerBytes = 8;
/** Engines write a frame for each line, or for each piece of 16 KB of a long one. More is not what they write. */
const frameBytesMax = 64 * 1024 * 1024;
/** Docker writes a longer line in pieces of this size: a piece this long goes on, whatever the stamp of the next. */
const pieceBytes = 16 * 1024;
/** No timestamp is longer. */
const stampBytesMax = 64;
const newline = 0x0a;
const newlineOnly = Buffer.from('\n');

type LogFramesOptions = {
  /** Bytes after a piece without a newline continue its line, as in a log of Podman. */
  readonly joinsPieces: boolean;
  readonly onData: (bytes: Buffer, stream: LogStreamName) => void;
};

/** A line that no newline has ended so far: the stamp of its last piece, and how long that was. */
type OpenLine = {readonly stamp: string; readonly bytes: number};

/**
 * Creates the reader of a log with timestamps that is multiplexed: each frame has a header of its stream and length,
 * and each begins with a timestamp, even if it goes on with a line. Passes on what the frames hold, with one timestamp
 * for each line. Where no newline ended a container's last line, the next one begins a line all the same.
 */
export const createLogFrames = ({joinsPieces, onData}: LogFramesOptions) => {
  const open = new Map<LogStreamName, OpenLine>();
  let header: Buffer = Buffer.alloc(0);
  let stream: LogStreamName = 'stdout';
  /** Bytes of the frame that have not come. */
  let left = 0;
  /** The beginning of a frame, until its stamp is whole; undefined after that. */
  let head: Buffer | undefined;
  let frame = {stamp: '', bytes: 0};
  let last = newline;

  /** Pieces for one stream are passed on together. */
  let run: Buffer[] = [];
  let runStream: LogStreamName = 'stdout';
  const flush = (): void => {
    const [first] = run;
    if (first) {
      onData(run.length === 1 ? first : Buffer.concat(run), runStream);
    }
    run = [];
  };
  const pass = (bytes: Buffer): void => {
    if (runStream !== stream) {
      flush();
      runStream = stream;
    }
    if (bytes.length > 0) {
      last = bytes[bytes.length - 1] ?? newline;
      frame.bytes += bytes.length;
      run.push(bytes);
    }
  };

  const begin = (bytes: Buffer): void => {
    const space = bytes.indexOf(0x20);
    const stamp = bytes.toString('latin1', 0, Math.max(0, space));
    const before = open.get(stream);
    const goesOn = before && (joinsPieces || before.stamp === stamp || before.bytes >= pieceBytes);
    if (before && !goesOn) {
      pass(newlineOnly);
    }
    frame = {stamp, bytes: 0};
    pass(goesOn ? bytes.subarray(space + 1) : bytes);
    frame.bytes -= goesOn ? 0 : space + 1;
  };

  const takeHead = (piece: Buffer): void => {
    const bytes = head && head.length > 0 ? Buffer.concat([head, piece]) : piece;
    if (left === 0 || bytes.length >= stampBytesMax || bytes.includes(0x20)) {
      head = undefined;
      begin(bytes);
    } else {
      head = Buffer.from(bytes);
    }
  };

  const takeHeader = (): boolean => {
    const kind = streams[header[0] ?? 0];
    left = header.readUInt32BE(4);
    const isHeader = kind !== undefined && left <= frameBytesMax && header.readUIntBE(1, 3) === 0;
    header = Buffer.alloc(0);
    stream = kind ?? 'engine';
    head = Buffer.alloc(0);
    return isHeader;
  };

  const takeAll = (bytes: Buffer): boolean => {
    let start = 0;
    while (start < bytes.length) {
      if (left === 0) {
        const piece = bytes.subarray(start, start + headerBytes - header.length);
        header = header.length === 0 ? piece : Buffer.concat([header, piece]);
        start += piece.length;
        if (header.length === headerBytes && !takeHeader()) {
          return false;
        }
        continue;
      }
      const piece = bytes.subarray(start, start + left);
      start += piece.length;
      left -= piece.length;
      if (head) {
        takeHead(piece);
      } else {
        pass(piece);
      }
      if (left === 0) {
        if (last === newline) {
          open.delete(stream);
        } else {
          open.set(stream, frame);
        }
      }
    }
    // The caller may use the block again.
    header = Buffer.from(header);
    return true;
  };

  return {
    /** Returns whether the bytes can be frames; if they cannot, nothing more can be read. */
    take: (bytes: Buffer): boolean => {
      const isWhole = takeAll(bytes);
      flush();
      return isWhole;
    },
  };
};

/**
 * Creates a function that removes the carriage return that a terminal puts before each newline: only one, because a
 * program may write others. It may come with other bytes than its newline.
 */
export const createTerminalLines = (onData: (bytes: Buffer) => void) => {
  let isReturnHeld = false;
  return (bytes: Buffer): void => {
    const text = `${isReturnHeld ? '\r' : ''}${bytes.toString('latin1')}`;
    isReturnHeld = text.endsWith('\r');
    onData(Buffer.from(text.slice(0, isReturnHeld ? -1 : undefined).replaceAll('\r\n', '\n'), 'latin1'));
  };
};

/** Engines take seconds since 1970, with nanoseconds. */
const secondsOf = (time: string): string | undefined => {
  const instant = parseInstant(time);
  return instant === undefined
    ? undefined
    : `${instant / 1_000_000_000n}.${String(instant % 1_000_000_000n).padStart(9, '0')}`;
};

const queryOf = ({follow, sinceTime, tailLines}: LogQuery): LinkQuery => ({
  stdout: 1,
  stderr: 1,
  timestamps: 1,
  follow: follow ? 1 : 0,
  since: sinceTime === undefined ? undefined : secondsOf(sinceTime),
  tail: tailLines ?? 'all',
});

/** The words of engines for a logging driver that only sends lines away: Docker and Podman, in several versions. */
const unreadable = /does not support reading|log(?:ging)? driver|not logging/i;

/** Whoever started the container chose where its lines go: only they can change that, as with missing rights. */
const refusedStatus = 403;

const describeRefusal = (error: unknown): unknown =>
  error instanceof CallError && error.status !== 404 && unreadable.test(error.serverMessage ?? '')
    ? new CallError(
        'status',
        'Its logging driver only sends lines away: docker logs cannot read it either. Drivers that can be read are json-file, local and journald.',
        {status: refusedStatus, serverMessage: error.serverMessage, cause: error},
      )
    : error;

/** Creates the logs of an engine's containers. `isRaw`: a container has a terminal, and its log no frames. */
export const createEngineLogs = (client: EngineClient, isRaw: (id: string) => boolean): ContainerLogs => {
  const open: ContainerLogs['open'] = async ({podUid: id}: ContainerPlace, query, {signal, onData, onEnd}) => {
    if (query.previous) {
      // A container that starts again goes on with its log.
      throw new CallError('status', `${client.title} keeps one log for all runs of a container.`, {status: 400});
    }
    const path = `/containers/${encodeURIComponent(id)}/logs`;
    const answer = await client.open(path, queryOf(query), signal).catch((error: unknown) => {
      throw describeRefusal(error);
    });
    let bytesLeft = query.limitBytes ?? Number.POSITIVE_INFINITY;
    const endEarly = (error?: CallError): void => {
      stop();
      onEnd(error);
    };
    const frames = createLogFrames({
      joinsPieces: client.isPodman(),
      onData: (bytes, stream) => {
        if (stream === 'engine') {
          endEarly(new CallError('body', `${client.title} says: ${bytes.toString('utf8').trim().slice(0, 300)}.`));
        } else {
          onData(bytes, stream);
        }
      },
    });
    const takeRaw = createTerminalLines(bytes => onData(bytes, 'stdout'));
    const take = (bytes: Buffer): void => {
      bytesLeft -= bytes.length;
      if (isRaw(id)) {
        takeRaw(bytes);
      } else if (!frames.take(bytes)) {
        endEarly(new CallError('body', `${client.title} sent something that is not a log.`));
        return;
      }
      if (bytesLeft <= 0) {
        endEarly();
      }
    };
    const stop = drainAnswer(answer, take, fault =>
      onEnd(fault && new CallError('connection', `The log of ${client.title} broke off.`, {cause: fault.cause})),
    );
    return {close: stop};
  };

  return {
    whole: 'engine',
    hasIds: true,
    endsAreProven: true,
    // Docker stamps each line by itself, and sends some again when it rotates a log. Podman stamps what it reads.
    get stampsAreUnique() {
      return !client.isPodman();
    },
    open,
    readFront: async (place, front, signal) => {
      const {promise, resolve, reject} = Promise.withResolvers<string>();
      const chunks: Buffer[] = [];
      const stream = await open(place, front, {
        signal,
        onData: bytes => chunks.push(Buffer.from(bytes)),
        onEnd: error => (error ? reject(error) : resolve(Buffer.concat(chunks).toString('utf8', 0, front.limitBytes))),
      });
      signal.addEventListener('abort', () => {
        stream.close();
        reject(signal.reason);
      });
      return promise;
    },
  };
};
