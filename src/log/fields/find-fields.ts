import {findAccessLine} from './access-line.ts';
import {createFieldCollector, type FieldCollector, type FieldSpan, severityOfStatus} from './field-span.ts';
import {addJsonFields} from './json-fields.ts';
import {addTextFields} from './text-fields.ts';

/** What stands further in shows on no screen before one scrolls far; a level is not looked for there either. */
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
 * The fields of a line, so that it can be coloured by them: ascending, none over another, at most `fieldSpansMax`. The text has
 * passed the sanitiser. It knows access logs, JSON, logfmt, syslog, the error logs of web servers, PHP, and the loggers of
 * Java, Python and Go; a line of no known form has few fields or none. What a line's fields say is wrong is what `levelOf`
 * says. Linear, at most the first 4,096 code units are read, and no pattern can be made to backtrack.
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
