import {findAccessLine} from './access-line.ts';
import {createFieldCollector, type FieldCollector, type FieldSpan, severityOfStatus} from './field-span.ts';
import {addJsonFields} from './json-fields.ts';
import {addTextFields} from './text-fields.ts';

/** Text further in is visible only after much scrolling; levels are not searched for there either. */
const readCharsMax = 4096;

const addAccessFields = (fields: FieldCollector, text: string): boolean => {
  const line = findAccessLine(text);
  if (line === undefined) {
    return false;
  }
  const {client, time, method, path, status, statusCode} = line;
  fields.add('client', client.start, client.end);
  fields.add('time', time.start, time.end);
  fields.add('method', method.start, method.end);
  fields.add('path', path.start, path.end);
  fields.add('status', status.start, status.end, severityOfStatus(statusCode));
  return true;
};

/**
 * Finds the fields of a line for colouring: ascending, not overlapping, at most `fieldSpansMax`. The text must be
 * sanitised. Supports access logs, JSON, logfmt, syslog, the error logs of web servers, PHP, and the loggers of Java,
 * Python and Go; a line of unknown form has few fields or none. Severities agree with `levelOf`. Linear, reads at most
 * the first 4,096 code units, and no pattern can be made to backtrack.
 */
export const findFields = (text: string): readonly FieldSpan[] => {
  const read = text.length > readCharsMax ? text.slice(0, readCharsMax) : text;
  const fields = createFieldCollector();
  if (read.startsWith('{')) {
    addJsonFields(fields, read, 0);
  } else if (!addAccessFields(fields, read)) {
    addTextFields(fields, read);
  }
  return fields.spans;
};
