import {takeWindow} from '../../../../src/log/answer/take-window.ts';
import type {IncidentSource} from '../../../../src/log/incident/incident-source.ts';
import {createBranchLog} from '../../../../src/log/merge/branch-log.ts';
import {noShapes, takeShapes} from '../../../../src/log/shapes/shape-table.ts';
import {finishWork} from '../../../../src/log/work/work.ts';

/** What went wrong in a log, to be found again. */
export type Planted = {
  readonly kind: 'errors' | 'slower' | 'stopped' | 'storm' | 'flip';
  /** In the subject of the finding. */
  readonly subject: string;
  /** Seconds since the log begins. */
  readonly at: number;
};

export type RandomLog = {
  readonly source: IncidentSource;
  readonly planted: Planted | undefined;
  readonly lineCount: number;
};

/** The same numbers between 0 and 1 for the same seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const startMs = Date.UTC(2026, 10, 21, 8);
const stamp = (second: number): string =>
  `${new Date(startMs + Math.floor(second * 1000)).toISOString().slice(0, -1)}${String(Math.floor(((second * 1000) % 1) * 1e6)).padStart(6, '0')}Z`;

type Event = {
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number>>;
};
type Asked = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly client: string;
};

/** How a log writes what its program says, and its requests. */
type Format = {
  readonly say: (event: Event, second: number) => string;
  readonly request: (asked: Asked, second: number) => string;
};

const pairs = (fields: Event['fields'] = {}): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');
const clock = (second: number): string =>
  new Date(startMs + second * 1000).toISOString().slice(0, 19).replace('T', ' ');

const formats: readonly Format[] = [
  {
    say: ({level, message, fields}, second) =>
      JSON.stringify({
        time: new Date(startMs + second * 1000).toISOString(),
        level: level.toLowerCase(),
        msg: message,
        ...fields,
      }),
    request: ({method, path, status, ms, client}) =>
      JSON.stringify({
        level: status >= 500 ? 'error' : 'info',
        msg: 'request',
        method,
        path,
        status,
        duration_ms: ms,
        client,
      }),
  },
  {
    say: ({level, message, fields}) => `level=${level.toLowerCase()} msg="${message}"${pairs(fields)}`,
    request: ({method, path, status, ms}) =>
      `level=${status >= 500 ? 'error' : 'info'} msg=request method=${method} path=${path} status=${status} duration_ms=${ms}`,
  },
  {
    say: ({level, message, fields}, second) =>
      `${clock(second)} ${level} [main] app.Service - ${message}${pairs(fields)}`,
    request: ({method, path, status, ms, client}, second) =>
      `${client} - - [${new Date(startMs + second * 1000).toISOString().slice(8, 10)}/Nov/2026:${new Date(startMs + second * 1000).toISOString().slice(11, 19)} +0000] "${method} ${path} HTTP/1.1" ${status} 1234 "-" "curl/8.1" ${(ms / 1000).toFixed(3)}`,
  },
];

const messages = [
  'cache refreshed',
  'session created for user',
  'order stored',
  'mail queued',
  'search index updated',
  'price list read',
  'connection returned to pool',
] as const;
const warnings = ['slow query', 'cache miss rate is high', 'retrying connection', 'deprecated call'] as const;
const faults = ['payment refused', 'connection reset by peer', 'invalid token', 'mail could not be sent'] as const;
const newFaults = [
  'tax service rejected quote',
  'database is read-only',
  'cannot acquire lock on inventory',
  'certificate has expired',
  'no space left on device',
] as const;
const paths = ['/cart', '/product/17', '/checkout', '/login', '/orders/991', '/search'] as const;

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** Normal by the sum of twelve. */
const gauss = (random: () => number): number => Array.from({length: 12}, random).reduce((sum, each) => sum + each, -6);

/**
 * A log of ordinary days: its rate rises and falls, jobs write in bursts, pods are replaced by others, some warnings and
 * errors always come. With `kind`, something goes wrong in it.
 */
export const randomLog = (seed: number, kind?: Planted['kind'], rateMax = 200): RandomLog => {
  const random = randomFrom(seed);
  const format = pick(random, formats);
  const minutes = kind === undefined ? 20 + random() * 160 : 60;
  const seconds = minutes * 60;
  const rate = Math.min(rateMax, kind === undefined ? 0.05 * 400 ** random() : 2 * 100 ** random());
  const count = Math.floor(Math.min(rate * seconds, 200_000));
  const rhythm = {phase: random() * 6.28, depth: random() * 0.6};
  const errorShare = 0.0005 * 40 ** random();
  const warnShare = 2 * errorShare;
  const requestShare = 0.4 + random() * 0.5;
  const burst = {everySeconds: 240 + random() * 900, lines: Math.ceil(random() * 60), isWarn: random() < 0.4};
  const deployAt = random() < 0.4 ? random() * seconds : undefined;
  const isVersioned = random() < 0.5;
  const onset = seconds - 60 * (1 + 39 * random() ** 1.5);
  const share = 0.04 * 15 ** random();
  const victim = pick(random, ['/checkout', '/cart', '/search'] as const);
  const fault = pick(random, newFaults);
  const isOn = (wanted: Planted['kind'], second: number): boolean => kind === wanted && second >= onset;
  const versionAt = (second: number): Event['fields'] => {
    const flipAt = kind === 'flip' ? onset : (deployAt ?? Number.POSITIVE_INFINITY);
    return isVersioned || kind === 'flip' ? {version: second < flipAt ? '1.41.3' : '1.42.0'} : {};
  };
  const client = (): string => `10.${Math.floor(random() * 9)}.${Math.floor(random() * 250)}.7`;
  const lines: (readonly [second: number, text: string])[] = [];
  let firstAt: number | undefined;
  const plant = (second: number, text: string): void => {
    firstAt = Math.min(firstAt ?? second, second);
    lines.push([second, text]);
  };
  for (let index = 0; index < count; index++) {
    // The rhythm makes places in time more or less likely.
    let second = random() * seconds;
    while (random() > 1 - rhythm.depth * (0.5 + 0.5 * Math.sin(rhythm.phase + (second / seconds) * 5))) {
      second = random() * seconds;
    }
    const say = (event: Event): string =>
      format.say({...event, fields: {...versionAt(second), ...event.fields}}, second);
    if (isOn('errors', second) && random() < share) {
      const isRequest = seed % 2 === 0;
      plant(
        second,
        isRequest
          ? format.request(
              {method: 'POST', path: victim, status: 502, ms: Math.round(300 + random() * 100), client: client()},
              second,
            )
          : say({level: 'ERROR', message: fault, fields: {order_id: Math.floor(random() * 99_999)}}),
      );
      continue;
    }
    const dice = random();
    if (dice < errorShare) {
      lines.push([second, say({level: 'ERROR', message: pick(random, faults)})]);
    } else if (dice < errorShare + warnShare) {
      lines.push([
        second,
        say({level: 'WARN', message: pick(random, warnings), fields: {took: Math.ceil(random() * 900)}}),
      ]);
    } else if (random() < requestShare) {
      const path = pick(random, paths);
      const isVictim = path === victim;
      if (isVictim && isOn('stopped', second)) {
        continue;
      }
      const isSlow = isVictim && isOn('slower', second);
      const ms = Math.round(80 * Math.exp(0.5 * gauss(random)) * (isSlow ? 4 + random() * 20 : 1));
      const status = random() < 0.02 ? 404 : random() < 0.05 ? 302 : 200;
      const text = format.request({method: 'GET', path, status, ms, client: client()}, second);
      if (isSlow) {
        plant(second, text);
      } else {
        lines.push([second, text]);
      }
      if (isVictim && kind === 'stopped' && second < onset) {
        firstAt = Math.max(firstAt ?? 0, second);
      }
    } else {
      lines.push([
        second,
        say({level: 'INFO', message: pick(random, messages), fields: {id: Math.floor(random() * 1e6)}}),
      ]);
    }
  }
  for (let at = random() * burst.everySeconds; at < seconds; at += burst.everySeconds * (0.9 + 0.2 * random())) {
    for (let index = 0; index < burst.lines; index++) {
      lines.push([
        at + random() * 4,
        format.say(
          {level: burst.isWarn ? 'WARN' : 'INFO', message: 'nightly sync skipped record', fields: {record: index}},
          at,
        ),
      ]);
    }
  }
  if (deployAt !== undefined) {
    for (const [after, message] of [
      [0, 'shutting down gracefully'],
      [3, 'server started, listening on 8080'],
      [4, 'migrations: none pending'],
    ] as const) {
      lines.push([Math.min(seconds, deployAt + after), format.say({level: 'INFO', message}, deployAt)]);
    }
  }
  if (kind === 'storm') {
    const stormRate = Math.max(3, rate * (0.4 + random()));
    for (let second = onset; second < seconds; second += (0.5 + random()) / stormRate) {
      plant(
        second,
        format.say(
          {level: 'WARN', message: 'retrying job: lock held', fields: {job: Math.floor(random() * 9999)}},
          second,
        ),
      );
    }
  }
  lines.sort(([a], [b]) => a - b);
  if (kind === 'flip') {
    firstAt = lines.find(([second, text]) => second >= onset && text.includes('1.42.0'))?.[0];
  }
  const empty = createBranchLog(1e9);
  const {buffer} = takeWindow(empty, {
    lines: lines.map(([second, text]) => `${stamp(second)} ${text}`),
    pods: [],
    cut: 'branch',
  }).log;
  const subjects = {
    errors: seed % 2 === 0 ? victim : fault,
    slower: victim,
    stopped: victim,
    storm: 'lock held',
    flip: 'version',
  };
  return {
    source: {
      buffer,
      shapes: finishWork(takeShapes(noShapes, empty.buffer, buffer)),
      ...{podNames: [], wholeSince: undefined, proof: 'counted', knownChanges: []},
    },
    planted: kind && {kind, subject: subjects[kind], at: (firstAt ?? onset) - (lines[0]?.[0] ?? 0)},
    lineCount: lines.length,
  };
};
