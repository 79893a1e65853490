import {millisecondOf} from './take-lines.ts';

export type Level = 'INFO' | 'WARN' | 'ERROR';
export type Fields = Readonly<Record<string, string | number>>;

/** What a program says. */
export type Saying = {readonly level: Level; readonly message: string; readonly fields?: Fields | undefined};

/** A request that was answered. */
export type Answered = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly client: string;
  readonly fields?: Fields | undefined;
};

/** How a log writes what its program says, and its requests. */
export type Format = {
  readonly name: string;
  readonly say: (saying: Saying, second: number) => string;
  readonly request: (answered: Answered, second: number) => string;
  /** In what it writes how long a request took; undefined if it does not. */
  readonly takes: 's' | 'ms' | undefined;
  /** Its lines can have any fields. */
  readonly hasFields: boolean;
};

const pairs = (fields: Fields = {}): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');
const iso = (second: number): string => new Date(millisecondOf(second)).toISOString();
const clock = (second: number): string => iso(second).slice(11, 19);
const dayOf = (second: number): string => iso(second).slice(8, 10);
const levelAt = (status: number): Level => (status >= 500 ? 'ERROR' : 'INFO');
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const combined = ({method, path, status, ms, client}: Answered, second: number): string =>
  `${client} - - [${dayOf(second)}/Nov/2026:${clock(second)} +0000] "${method} ${path} HTTP/1.1" ${status} ${200 + (Math.round(ms * 7) % 9000)} "-" "curl/8.1" ${seconds(ms)}`;

const controllerOf = (path: string): string => path.split('/')[1] ?? '';

export const formats: readonly Format[] = [
  {
    name: 'JSON',
    say: ({level, message, fields}, second) =>
      JSON.stringify({time: iso(second), level: level.toLowerCase(), msg: message, ...fields}),
    request: ({method, path, status, ms, client, fields}) =>
      JSON.stringify({
        level: levelAt(status).toLowerCase(),
        msg: 'request',
        ...{method, path, status, duration_ms: ms, client, ...fields},
      }),
    takes: 'ms',
    hasFields: true,
  },
  {
    name: 'JSON, seconds',
    say: ({level, message, fields}, second) =>
      JSON.stringify({ts: millisecondOf(second) / 1000, level: level.toLowerCase(), msg: message, ...fields}),
    request: ({method, path, status, ms, client, fields}) =>
      JSON.stringify({
        level: levelAt(status).toLowerCase(),
        msg: 'request',
        ...{method, path, status, latency: ms / 1000, client, ...fields},
      }),
    takes: 's',
    hasFields: true,
  },
  {
    name: 'logfmt',
    say: ({level, message, fields}) => `level=${level.toLowerCase()} msg="${message}"${pairs(fields)}`,
    request: ({method, path, status, ms, fields}) =>
      `level=${levelAt(status).toLowerCase()} msg=request method=${method} path=${path} status=${status} latency=${seconds(ms)}${pairs(fields)}`,
    takes: 's',
    hasFields: true,
  },
  {
    name: 'Apache',
    say: ({level, message, fields}, second) =>
      `[Sat Nov ${dayOf(second)} ${clock(second)}.${iso(second).slice(20, 23)}000 2026] [app:${level.toLowerCase()}] [pid 77] ${message}${pairs(fields)}`,
    request: combined,
    takes: 's',
    hasFields: false,
  },
  {
    name: 'log4j',
    say: ({level, message, fields}, second) =>
      `${iso(second).slice(0, 23).replace('T', ' ').replace('.', ',')} ${level} [exec-${Math.floor(second) % 9}] com.shop.OrderService - ${message}${pairs(fields)}`,
    request: ({method, path, status, ms, fields}, second) =>
      `${iso(second).slice(0, 23).replace('T', ' ').replace('.', ',')} ${levelAt(status)} [exec-${Math.floor(second) % 9}] com.shop.Requests - method=${method} path=${path} status=${status} duration_ms=${ms}${pairs(fields)}`,
    takes: 'ms',
    hasFields: true,
  },
  {
    name: 'klog',
    say: ({level, message, fields}, second) =>
      `${level[0]}11${dayOf(second)} ${clock(second)}.${iso(second).slice(20, 23)}000       1 controller.go:114] ${message}${pairs(fields)}`,
    request: ({method, path, status, ms, client}, second) =>
      `I11${dayOf(second)} ${clock(second)}.${iso(second).slice(20, 23)}000       1 httplog.go:132] "HTTP" verb="${method}" URI="${path}" latency="${ms}ms" userAgent="curl/8.1" srcIP="${client}:3333" resp=${status}`,
    takes: undefined,
    hasFields: false,
  },
  {
    name: 'syslog',
    say: ({level, message, fields}, second) =>
      `Nov ${dayOf(second)} ${clock(second)} app-1 shop[311]: ${level} ${message}${pairs(fields)}`,
    request: ({method, path, status, ms, client}, second) =>
      `Nov ${dayOf(second)} ${clock(second)} lb-1 haproxy[77]: ${client}:3333 [${dayOf(second)}/Nov/2026:${clock(second)}.123] front back/web1 0/0/1/${ms}/${ms + 1} ${status} 1234 - - ---- 5/5/2/1/0 0/0 "${method} ${path} HTTP/1.1"`,
    takes: 'ms',
    hasFields: false,
  },
  {
    name: 'nginx',
    say: ({level, message, fields}, second) =>
      `${iso(second).slice(0, 10).replaceAll('-', '/')} ${clock(second)} [${level === 'INFO' ? 'notice' : level.toLowerCase()}] 31#31: *${Math.floor(second * 7)} ${message}${pairs(fields)}`,
    request: combined,
    takes: 's',
    hasFields: false,
  },
  {
    name: 'Rails',
    say: ({level, message, fields}, second) =>
      `${level[0]}, [${iso(second).slice(0, 23)}000 #311] ${level.padStart(5)} -- : ${message}${pairs(fields)}`,
    request: ({method, path, status, ms, fields}, second) =>
      `I, [${iso(second).slice(0, 23)}000 #311]  INFO -- : method=${method} path=${path} format=html controller=${controllerOf(path)} action=show status=${status} duration=${ms.toFixed(2)} view=0.20 db=1.20${pairs(fields)}`,
    takes: 'ms',
    hasFields: true,
  },
  {
    name: 'plain',
    say: ({level, message, fields}) => `${level}: ${message}${pairs(fields)}`,
    request: ({method, path, status, ms}) => `${levelAt(status)}: ${method} ${path} ${status} ${ms}ms`,
    takes: undefined,
    hasFields: true,
  },
];
