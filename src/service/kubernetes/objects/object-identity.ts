import type {Labels} from './label-selector.ts';
import {tableField, textField, textsField, timeField} from './object-fields.ts';

/** What every object of a namespace has. */
export type ObjectIdentity = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
};

/** Reads an object's metadata. Returns undefined if it is not an object of a namespace. */
export const readIdentity = (object: unknown): ObjectIdentity | undefined => {
  const metadata = tableField(object, 'metadata');
  const uid = textField(metadata, 'uid');
  const name = textField(metadata, 'name');
  const namespace = textField(metadata, 'namespace');
  const createdAtMs = timeField(metadata, 'creationTimestamp');
  if (uid === undefined || name === undefined || namespace === undefined || createdAtMs === undefined) {
    return undefined;
  }
  const resourceVersion = textField(metadata, 'resourceVersion') ?? '';
  return {uid, resourceVersion, name, namespace, labels: textsField(metadata, 'labels'), createdAtMs};
};
