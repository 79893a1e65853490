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
