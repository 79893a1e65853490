import {numberField, readJsonText, tableField, textField} from '#service/link/object-fields.ts';

/** Parses a line of a watch, interface of the Kubernetes API ("Efficient detection of changes"). */
export const parseWatchEvent = (line: string) => {
  const event = readJsonText(line);
  const object = tableField(event, 'object');
  const metadata = tableField(object, 'metadata');
  const version = textField(metadata, 'resourceVersion');
  const type = textField(event, 'type');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
      return {kind: 'changed', isAdded: type === 'ADDED', object, version} as const;
    case 'DELETED':
      // The object is as it was last.
      return {kind: 'deleted', object, uid: textField(metadata, 'uid'), version} as const;
    case 'BOOKMARK':
      // Nothing happened up to this version.
      return {kind: 'bookmark', version} as const;
    case 'ERROR':
      // The watch cannot go on.
      return {
        kind: 'failed',
        status: numberField(object, 'code'),
        reason: textField(object, 'reason'),
        message: textField(object, 'message') ?? 'no reason given',
      } as const;
    default:
      return {kind: 'unreadable'} as const;
  }
};

export type WatchEvent = ReturnType<typeof parseWatchEvent>;

/** etcd takes objects of 1.5 MB; as JSON they are hardly twice that. */
const watchLineBytesMax = 8 * 1024 * 1024;
const newline = 0x0a;

/**
 * Creates a splitter of a watch's body into lines, each a JSON text. Bytes may be cut anywhere. A line that is too long
 * is dropped and reported by `onTooLong`.
 */
export const createWatchLines = (onLine: (line: string) => void, onTooLong: () => void): ((bytes: Buffer) => void) => {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  let isDropping = false;

  const addPiece = (piece: Buffer): void => {
    sizeBytes += piece.length;
    if (sizeBytes > watchLineBytesMax) {
      isDropping = true;
      pieces = [];
    } else {
      pieces.push(piece);
    }
  };

  const endLine = (): void => {
    const line = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces = [];
    sizeBytes = 0;
    if (isDropping) {
      isDropping = false;
      onTooLong();
    } else if (line && line.length > 0) {
      onLine(line.toString('utf8'));
    }
  };

  return bytes => {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      addPiece(bytes.subarray(start, end));
      endLine();
      start = end + 1;
    }
    if (start < bytes.length) {
      addPiece(bytes.subarray(start));
    }
  };
};
