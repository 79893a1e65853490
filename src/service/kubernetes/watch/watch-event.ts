import {numberField, readJsonText, tableField, textField} from '../../link/object-fields.ts';

/** One line of a watch, interface of the Kubernetes API ("Efficient detection of changes"). */
export type WatchEvent =
  | {
      readonly kind: 'changed';
      readonly isAdded: boolean;
      readonly object: unknown;
      readonly version: string | undefined;
    }
  /** `object` is as it was last. */
  | {
      readonly kind: 'deleted';
      readonly object: unknown;
      readonly uid: string | undefined;
      readonly version: string | undefined;
    }
  /** Nothing happened up to this version. */
  | {readonly kind: 'bookmark'; readonly version: string | undefined}
  /** The watch cannot go on. */
  | {
      readonly kind: 'failed';
      readonly status: number | undefined;
      readonly reason: string | undefined;
      readonly message: string;
    }
  | {readonly kind: 'unreadable'};

/** Parses a line of a watch. */
export const parseWatchEvent = (line: string): WatchEvent => {
  const event = readJsonText(line);
  const object = tableField(event, 'object');
  const metadata = tableField(object, 'metadata');
  const version = textField(metadata, 'resourceVersion');
  const type = textField(event, 'type');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
      return {kind: 'changed', isAdded: type === 'ADDED', object, version};
    case 'DELETED':
      return {kind: 'deleted', object, uid: textField(metadata, 'uid'), version};
    case 'BOOKMARK':
      return {kind: 'bookmark', version};
    case 'ERROR':
      return {
        kind: 'failed',
        status: numberField(object, 'code'),
        reason: textField(object, 'reason'),
        message: textField(object, 'message') ?? 'no reason given',
      };
    default:
      return {kind: 'unreadable'};
  }
};
