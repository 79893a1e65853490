import {type IncidentFinding, isChange} from '#log/incident/incident-finding.ts';
import {type Format, formats} from './formats.ts';
import type {Random} from './random.ts';
import type {DrawnLine} from './take-lines.ts';
import {drawRequest, faults, lineAt, newFaults, paths, requestAt, sayAt, secondsOf, type Traffic} from './traffic.ts';

/** When it goes wrong, in seconds of the log, and for which share of the lines. */
export type Wrong = {
  readonly onset: number;
  readonly end: number;
  readonly share: number;
};

/** A log in which something goes wrong, and what must be found of it. */
export type Planted = {
  readonly lines: readonly DrawnLine[];
  /** When the first line of it was written, or the last one of what stopped. */
  readonly at: number;
  readonly isIt: (finding: IncidentFinding) => boolean;
};

type Plant = {
  readonly formats: readonly Format[];
  readonly draw: (random: Random, traffic: Traffic, wrong: Wrong) => Planted;
};

const writesTimes = formats.filter(({takes}) => takes !== undefined);
const isWithin = ({onset, end}: Wrong, second: number): boolean => second >= onset && second < end;

/** Replaces a share of the lines since the onset by others. */
const replaced =
  (
    whats: readonly IncidentFinding['what'][],
    subjectOf: (random: Random) => string,
    lineOf: (random: Random, traffic: Traffic, second: number, subject: string) => DrawnLine,
  ): Plant['draw'] =>
  (random, traffic, wrong) => {
    const subject = subjectOf(random);
    let at = wrong.end;
    const lines = secondsOf(random, traffic).map(second => {
      if (!isWithin(wrong, second) || !random.chance(wrong.share)) {
        return lineAt(random, traffic, second);
      }
      at = Math.min(at, second);
      return lineOf(random, traffic, second, subject);
    });
    return {lines, at, isIt: finding => whats.includes(finding.what) && finding.subject.includes(subject)};
  };

const isGet = ({text}: DrawnLine, path: string): boolean => text.includes('GET') && text.includes(path);

const slower: Plant['draw'] = (random, traffic, wrong) => {
  const victim = random.pick(['/checkout', '/cart', '/search'] as const);
  let at = wrong.end;
  const lines = secondsOf(random, traffic).map(second => {
    const line = lineAt(random, traffic, second);
    if (!isWithin(wrong, second) || !isGet(line, victim)) {
      return line;
    }
    at = Math.min(at, second);
    const request = drawRequest(random, traffic);
    return requestAt(traffic, second, {
      ...request,
      ...{method: 'GET', path: victim, ms: Math.round(request.ms * random.between(4, 24))},
    });
  });
  return {lines, at, isIt: ({what, subject}) => what === 'slower' && subject.includes(victim)};
};

const stopped: Plant['draw'] = (random, traffic, wrong) => {
  const victim = random.pick(['/checkout', '/cart', '/search'] as const);
  let at = 0;
  const lines = secondsOf(random, traffic).flatMap(second => {
    const line = lineAt(random, traffic, second);
    if (isGet(line, victim)) {
      if (second >= wrong.onset) {
        return [];
      }
      at = Math.max(at, second);
    }
    return [line];
  });
  return {lines, at, isIt: ({what, subject}) => what === 'stopped' && subject.includes(victim)};
};

const storm: Plant['draw'] = (random, traffic, wrong) => {
  const stormRate = Math.max(3, traffic.rate * random.between(0.4, 1.4));
  const level = random.pick(['WARN', 'INFO'] as const);
  const lines = secondsOf(random, traffic).map(second => lineAt(random, traffic, second));
  const all: DrawnLine[] = [];
  for (let second = wrong.onset; second < wrong.end; second += random.between(0.5, 1.5) / stormRate) {
    all.push(sayAt(traffic, second, level, 'retrying job: lock held', {job: random.whole(1, 9999)}));
  }
  return {
    lines: [...lines, ...all],
    at: wrong.onset,
    isIt: ({what, subject}) => (what === 'storm' || what === 'new') && subject.includes('lock held'),
  };
};

const flip: Plant['draw'] = (random, traffic, wrong) => {
  const [name, old, now] = random.pick([
    ['version', '1.41.3', '1.42.0'],
    ['release', 'r411', 'r412'],
    ['mode', 'primary', 'replica'],
    ['region', 'eu-west-1', 'us-east-1'],
  ] as const);
  const writer = (second: number) => ({fields: {[name]: second < wrong.onset ? old : now}});
  let at = wrong.end;
  const lines = secondsOf(random, traffic).map(second => {
    const line = lineAt(random, {...traffic, writer}, second);
    if (second >= wrong.onset && line.text.includes(now)) {
      at = Math.min(at, second);
    }
    return line;
  });
  return {lines, at, isIt: ({what, subject}) => what === 'changed' && subject.includes(name)};
};

/** What ends a process or a node: one line, as whoever notices writes it, and what a finding must have of it. */
const fatalLines: readonly (readonly [text: string, told: string])[] = [
  ['Out of memory: Killed process 3121 (java) total-vm:8123456kB, anon-rss:4012345kB', 'Out of memory'],
  ['java.lang.OutOfMemoryError: Java heap space', 'OutOfMemoryError'],
  ['container app restarted: OOMKilled, exit code 137', 'OOMKilled'],
  ['panic: runtime error: index out of range [5] with length 3', 'panic'],
  ['Kernel panic - not syncing: Fatal exception in interrupt', 'panic'],
  ['php-fpm[311]: segfault at 0 ip 00007f3b2c sp 00007ffd1 error 4 in libc.so.6', 'segfault'],
  ['Segmentation fault (core dumped)', 'Segmentation fault'],
  ['worker process 311 exited on signal 9', 'exited on signal'],
  ['write /var/lib/data/wal.log: no space left on device', 'no space left'],
  ['could not write to file "pg_wal/xlogtemp.31": No space left on device', 'No space left'],
  ['accept4() failed (24: Too many open files)', 'oo many open files'],
  ['x509: certificate has expired or is not yet valid', 'certificate has expired'],
  ['##[error]Process completed with exit code 137.', 'exit code'],
];

const fatal: Plant['draw'] = (random, traffic, wrong) => {
  const [text, told] = random.pick(fatalLines);
  const line = random.chance(0.5)
    ? {second: wrong.onset, text, source: traffic.writer(wrong.onset).source}
    : sayAt(traffic, wrong.onset, 'ERROR', text.replaceAll('"', ''));
  const lines = secondsOf(random, traffic).map(second => lineAt(random, traffic, second));
  return {
    lines: [...lines, line],
    at: wrong.onset,
    isIt: finding => !isChange(finding) && finding.subject.toLowerCase().includes(told.toLowerCase()),
  };
};

const failedStatus = [500, 502, 503, 504] as const;

/** What can go wrong, and the logs in which it can be read. */
export const plants: Readonly<Record<string, Plant>> = {
  'more of a usual error': {
    formats,
    draw: replaced(
      ['rise', 'new'],
      random => random.pick(faults),
      (random, traffic, second, fault) => sayAt(traffic, second, 'ERROR', fault, {id: random.whole(0, 1e6)}),
    ),
  },
  'a new kind of error': {
    formats,
    draw: replaced(
      ['rise', 'new'],
      random => random.pick(newFaults),
      (random, traffic, second, fault) => sayAt(traffic, second, 'ERROR', fault, {order_id: random.whole(0, 99_999)}),
    ),
  },
  'failed requests': {
    formats: writesTimes,
    draw: replaced(
      ['rise', 'new'],
      random => random.pick(paths).replace(/\/\d+$/, ''),
      (random, traffic, second, path) =>
        requestAt(traffic, second, {
          ...drawRequest(random, traffic),
          ...{method: 'POST', path, status: failedStatus[path.length % failedStatus.length] ?? 502},
        }),
    ),
  },
  'slower, in milliseconds': {
    formats: formats.filter(({takes}) => takes === 'ms'),
    draw: slower,
  },
  'slower, in seconds': {
    formats: formats.filter(({takes}) => takes === 's'),
    draw: slower,
  },
  'a path that is asked for no more': {formats, draw: stopped},
  'one message in masses': {formats, draw: storm},
  'a field that is another': {formats: formats.filter(({hasFields}) => hasFields), draw: flip},
  'an end of a process or a node, once': {formats, draw: fatal},
};
