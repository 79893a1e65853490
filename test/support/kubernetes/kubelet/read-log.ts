import {type ContainerLog, type CriRecord, type LogFile, type OutputStream, stampOf} from './container-log.ts';

/** What a request for a log asks, checked. */
export type LogQuery = {
  readonly follow: boolean;
  readonly timestamps: boolean;
  /** Records older than this are left out; the API server hands it on in whole seconds. */
  readonly sinceNs: bigint | undefined;
  /** Counts records, so pieces too. */
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly stream: OutputStream | undefined;
};

/** Ways of kubelets that are or were in the field. */
export type KubeletManners = {
  /** Before 1.26 or so each piece of a long line got a stamp, in the middle of the line too. */
  readonly stampsEachPiece: boolean;
  /** Before 1.29.1 or so a follower stays with the rotated file, and hears nothing more. */
  readonly staysWithRotatedFile: boolean;
};

export type LogReader = {
  /** The next bytes (latin1), about so many at most; empty at the end of the newest file. */
  read(bytesMax: number): string;
  /** Nothing more will come. */
  readonly isDone: boolean;
};

const startOf = (file: LogFile, tailLines: number | undefined): number =>
  tailLines === undefined ? 0 : Math.max(0, file.records.length - tailLines);

/**
 * Reads a container's log by the rules of the kubelet's `ReadLogs` (cri-client, pkg/logs/logs.go): the newest file
 * only, a tail counted in records, pieces joined under the stamp of the first one whatever stream they are of, and a
 * piece that is left out still joins the next one to it.
 */
export const createLogReader = (log: ContainerLog, query: LogQuery, manners: KubeletManners): LogReader => {
  let file = log.newest;
  let index = startOf(file, query.tailLines);
  let remainingBytes = query.limitBytes ?? Number.POSITIVE_INFINITY;
  let isNewLine = true;
  let isDone = false;

  const format = (record: CriRecord): string => {
    if (query.sinceNs !== undefined && record.stampNs < query.sinceNs) {
      return '';
    }
    if (query.stream !== undefined && record.stream !== query.stream) {
      return '';
    }
    const stamp = query.timestamps && (isNewLine || manners.stampsEachPiece) ? `${stampOf(record)} ` : '';
    return `${stamp}${record.bytes}${record.tag === 'F' ? '\n' : ''}`.slice(0, remainingBytes);
  };

  return {
    read: bytesMax => {
      const parts: string[] = [];
      let bytes = 0;
      while (!isDone && bytes < bytesMax) {
        const record = file.records[index];
        if (record !== undefined) {
          const text = format(record);
          parts.push(text);
          bytes += text.length;
          remainingBytes -= text.length;
          index += 1;
          isDone = remainingBytes <= 0;
          isNewLine = record.tag === 'F' || record.bytes === '';
        } else if (query.follow && file !== log.newest && !manners.staysWithRotatedFile) {
          file = log.newest;
          index = 0;
        } else {
          isDone = !query.follow || log.isEnded;
          break;
        }
      }
      return parts.join('');
    },
    get isDone() {
      return isDone;
    },
  };
};
