import type {FieldName} from './field-span.ts';

const keysOfFields: Readonly<Record<'time' | 'level' | 'status' | 'method' | 'path' | 'client' | 'logger', string>> = {
  time: 'time ts timestamp @timestamp @t date datetime t asctime eventtime start_time time_local time_iso8601',
  level:
    'level lvl severity severitytext severity_text severity.text log.level loglevel log_level log-level level_name levelname @l',
  status:
    'status status_code statuscode http.status_code http_status httpstatus response_code http.response.status_code downstreamstatus',
  method: 'method http_method request_method http.method http.request.method verb requestmethod',
  path: 'path uri url request_uri request_path http.target http.path url.path target requestpath',
  client:
    'client client_ip clientip client_addr remote_addr remoteaddr remote_ip remoteip remote_address ip client.ip src_ip clienthost',
  logger: 'logger logger_name log.logger component module caller',
};

const fieldOfKnownKey: ReadonlyMap<string, FieldName> = new Map(
  Object.entries(keysOfFields).flatMap(([field, keys]) =>
    keys.split(' ').map(key => [key, field as FieldName] as const),
  ),
);

const keyCharsMax = 28;

/** Returns what the value of a record's key is, by the names that loggers and servers use; undefined for other keys. */
export const fieldOfKey = (key: string): FieldName | undefined =>
  key.length > keyCharsMax ? undefined : (fieldOfKnownKey.get(key) ?? fieldOfKnownKey.get(key.toLowerCase()));
