import {expect, test} from 'vitest';
import {findIncident as findIncidentWork, type IncidentReport} from '#log/incident/find-incident.ts';
import {isTrouble} from '#log/incident/incident-finding.ts';
import type {IncidentSource} from '#log/incident/verdict.ts';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {insertChange} from '#log/ingest/place-markers.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import type {ChangeMarker} from '#log/line/entry.ts';
import {formatClock, type Instant, instantFromMs} from '#log/line/instant.ts';
import {noShapes, takeShapes} from '#log/traits/shape-table.ts';
import {mergeBuffers} from '#log/view/log-view.ts';
import {finishWork} from '#log/work.ts';

/** Finds it at once. */
const findIncident = (sources: readonly IncidentSource[], depth: 'quick' | 'whole' = 'whole'): IncidentReport =>
  finishWork(findIncidentWork(sources, {depth}));

type Line = readonly [second: number, text: string];

const at = (second: number): Instant => instantFromMs(Date.UTC(2026, 10, 21, 14) + Math.round(second * 1000));
const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14) + Math.round(second * 1000)).toISOString().slice(0, -1)}000000Z`;

const change = {kind: 'activity', action: 'DEPLOY', status: 'SUCCESS', createdBy: 'user-9'} as const;
const activity = (second: number): ChangeMarker => ({
  kind: 'change',
  id: 0,
  at: at(second),
  happenedAt: at(second),
  change,
});

const sourceOf = (lines: readonly Line[], more: Partial<IncidentSource> = {}, changedAt?: number): IncidentSource => {
  const empty = createBranchLog(1e9);
  const raws = lines.toSorted(([a], [b]) => a - b).map(([second, text]) => `${stamp(second)} ${text}`);
  const {log} = takeWindow(empty, {lines: raws, pods: [], cut: 'branch'});
  const {buffer} = changedAt === undefined ? log : insertChange(log, {change, happenedAt: at(changedAt)}, at(0));
  const shapes = finishWork(takeShapes(noShapes, empty.buffer, buffer));
  return {buffer, shapes, podNames: [], wholeSince: at(0), proof: 'counted', knownChanges: [], ...more};
};

const request = (second: number, path: string, status: number): Line => [
  second,
  JSON.stringify({level: status >= 500 ? 'error' : 'info', msg: 'request', uri: path, status}),
];

const access = (second: number, path: string, status: number): Line => [
  second,
  `10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 157`,
];

/** Twenty minutes, two requests a second; from 14:15:00 for a minute every second one for /pay fails. */
const wave: readonly Line[] = Array.from({length: 1200}, (_, second): readonly Line[] => [
  request(second, `/cart/${second}`, 200),
  request(second + 0.5, '/pay', second >= 900 && second < 960 && second % 2 === 0 ? 503 : 200),
]).flat();

const calm = (seconds: number): readonly Line[] =>
  Array.from({length: seconds}, (_, second): Line => [second, `INFO job ${second} done`]);

/** `what subject since before now`, rates whole. */
const told = ({findings}: IncidentReport): readonly string[] =>
  findings.map(({what, subject, since, before, now}) =>
    [
      what,
      subject,
      formatClock(since),
      ...[before, now].map(each => (typeof each === 'number' && each > 1 ? Math.round(each) : each)),
    ]
      .filter(each => each !== undefined)
      .join(' '),
  );

test('a wave of failing requests: errors, the path and status that carry it, since when, and that it is over', () => {
  const source = sourceOf(wave);
  const report = findIncident([source]);
  expect(told(report).slice(0, 2)).toEqual(['rise errors 14:15:00 0 30', 'rise /pay 503 14:15:00 0 30']);
  expect(report.findings[0]).toMatchObject({since: at(900.5), until: at(958.5), total: 116, confidence: 'sure'});
  expect(report.onset).toBe(at(900.5));
  const view = mergeBuffers([source.buffer]);
  const {first, last} = report.findings[1] ?? {};
  const timeOf = (anchor: typeof first) => anchor && view.slice(view.indexOf(anchor), 1)[0]?.entry.at;
  expect([timeOf(first), timeOf(last)]).toEqual([at(900.5), at(958.5)]);
});

test('a sustained rise that is few of the lines, by what the errors say and who wrote them; new is what was not there before', () => {
  const report = findIncident([
    sourceOf([
      ...calm(1800).flatMap(([second, text]): readonly Line[] =>
        [0, 1, 2, 3, 4].map(part => [second + part / 5, text]),
      ),
      ...Array.from({length: 60}, (_, index): Line => [index * 30 + 0.5, 'ERROR mail refused']),
      ...Array.from(
        {length: 120},
        (_, index): Line => [1200.1 + index * 5, `ERROR tax service rejected quote ${index}`],
      ),
    ]),
  ]);
  expect(told(report)).toEqual(['rise errors 14:20:00 2 14', 'new ERROR tax service rejected quote ‹n› 14:20:00 0 12']);
  expect(report.findings.every(isTrouble)).toBe(true);
  expect(report.onset).toBe(at(1200.1));
});

test('a kind of error that the log showed before its lines left the buffer is not new', () => {
  const lines = [
    ...calm(900),
    ...Array.from({length: 40}, (_, index): Line => [700 + index * 2, 'ERROR disk is full']),
  ];
  const source = sourceOf(lines);
  const shapes = new Map([...source.shapes.shapes].map(([key, shape]) => [key, {...shape, firstAt: at(-7200)}]));
  expect(told(findIncident([source]))[1]).toMatch(/^new ERROR disk is full/);
  expect(told(findIncident([{...source, shapes: {...source.shapes, shapes}}]))[1]).toMatch(/^rise ERROR disk is full/);
});

test('a new kind that is too rare for a rate is told beside a rise, one that came long before it is not', () => {
  const report = findIncident([
    sourceOf([
      ...calm(3600),
      [1500, 'ERROR new once'],
      ...Array.from({length: 40}, (_, index): Line => [3500 + index, 'ERROR disk is full']),
      [3510, 'WARN queue is long'],
    ]),
  ]);
  expect(told(report).filter(each => each.startsWith('new'))).toEqual([
    'new ERROR disk is full 14:58:20 0 40',
    expect.stringMatching(/^new WARN queue is long 14:58:30/),
  ]);
});

test('requests that take longer, without any error, from the first slow one', () => {
  const report = findIncident([
    sourceOf(
      Array.from({length: 1200}, (_, second): Line => {
        const ms = (second >= 800 && second % 2 === 0 ? 5000 : 80) + (second % 7) * 10;
        return [
          second,
          `level=info msg=request method=GET path=${second % 2 === 0 ? '/cart' : '/home'} status=200 duration_ms=${ms}`,
        ];
      }),
    ),
  ]);
  expect(told(report)[0]).toBe('slower GET /cart 14:13:20 140 5060');
  expect(report.findings[0]).toMatchObject({unit: 'ms', total: 200, confidence: 'sure'});
});

test('lines that came steadily and stopped, but not what stops with all others', () => {
  const beats = Array.from({length: 120}, (_, index): Line => [index * 5, `INFO heartbeat of worker ${index}`]);
  const report = findIncident([sourceOf([...calm(1200), ...beats])]);
  expect(told(report)[0]).toBe('stopped INFO heartbeat of worker ‹n› 14:09:55 12 0');
  const alone = findIncident([sourceOf([...calm(600), ...beats, [1200, 'INFO bye']])]);
  expect(alone.findings.filter(({what}) => what === 'stopped')).toEqual([]);
});

test('one message in masses is one finding, with its share of all lines', () => {
  const storm = Array.from(
    {length: 3000},
    (_, index): Line => [900 + index / 10, `INFO retrying job ${index}: lock held`],
  );
  const [first] = findIncident([sourceOf([...calm(1200), ...storm])]).findings;
  expect(first).toMatchObject({
    what: 'storm',
    subject: 'INFO retrying job ‹n›: lock held',
    since: at(900),
    confidence: 'sure',
  });
  expect(Math.round((100 * Number(first?.now)) / (first?.total ?? 0))).toBe(91);
});

test('another mix of statuses, though no line is an error', () => {
  const lines = Array.from({length: 1200}, (_, second) =>
    request(second, '/home', second >= 900 && second % 4 === 0 ? 401 : 200),
  );
  const status = findIncident([sourceOf(lines)]).findings.find(({of}) => of === 'status');
  expect(status).toMatchObject({subject: '401', since: at(900), before: 0, unit: 'share', confidence: 'sure'});
  expect(status?.now).toBeCloseTo(0.25, 1);
});

test('bursts that come now and then are usual, and so is a busy hour', () => {
  const bursts = [100, 500, 900, 1190].flatMap(second =>
    Array.from({length: 30}, (_, index): Line => [second + index / 10, 'ERROR sync failed']),
  );
  expect(findIncident([sourceOf([...calm(1200), ...bursts])]).findings.filter(isTrouble)).toEqual([]);
  const busy = Array.from({length: 3600}, (_, index): Line => {
    const second = index < 900 ? index : 900 + (index - 900) / 9;
    return [second, index % 200 === 0 ? 'ERROR mail refused' : `INFO job ${index} done`];
  });
  expect(findIncident([sourceOf(busy)]).findings.filter(isTrouble)).toEqual([]);
});

test('before there is anything to compare with, what is wrong is told by kind, path and pod', () => {
  const lines = Array.from({length: 30}, (_, index): readonly Line[] => [
    [index / 5, 'ERROR web-2 cannot connect to db'],
    access(index / 5 + 0.1, '/pay', 502),
    access(index / 5 + 0.15, '/home', 200),
  ]).flat();
  const report = findIncident([sourceOf(lines, {podNames: ['web-1', 'web-2']})]);
  expect(told(report)).toEqual([
    'rise errors 14:00:00 60',
    'rise GET /pay 502 14:00:00 30',
    'rise ERROR web-‹n› cannot connect to db 14:00:00 30',
  ]);
  expect(
    report.findings.every(
      ({before, mayBeOlder, confidence}) => before === undefined && mayBeOlder && confidence === 'sure',
    ),
  ).toBe(true);
});

test('errors that were many from the first line on may be older than the log held', () => {
  const lines = Array.from(
    {length: 1200},
    (_, second): Line => [second, second % 3 === 0 ? 'ERROR db is down' : `INFO job ${second}`],
  );
  expect(findIncident([sourceOf(lines)]).findings[0]).toMatchObject({
    subject: 'errors',
    mayBeOlder: true,
    confidence: 'sure',
    since: at(0),
  });
});

test('what changed: a field that flips, a telling line, the branch; the nearest first, random ids never', () => {
  const lines = Array.from(
    {length: 1200},
    (_, second): Line => [
      second,
      `level=info msg="order stored" version=${second < 890 ? '1.41.3' : '1.42.0'} request_id=r${second * 7919}x trace=${second}`,
    ],
  );
  const report = findIncident([
    sourceOf(
      [
        ...lines,
        [889.5, 'level=info msg="migrations: 2 applied"'],
        [200, 'level=info msg="config reloaded"'],
        ...Array.from({length: 100}, (_, index): Line => [900 + index, 'level=error msg="tax service rejected quote"']),
      ],
      {knownChanges: [activity(-7200)]},
      880,
    ),
  ]);
  const changes = told(report).filter(each => each.startsWith('changed'));
  expect(changes).toEqual([
    'changed DEPLOY SUCCESS by user-9 14:14:40',
    'changed version 14:14:50 1.41.3 1.42.0',
    'changed migrations: 2 applied 14:14:49',
    'changed config reloaded 14:03:20',
    'changed DEPLOY SUCCESS by user-9 12:00:00',
  ]);
});

test('a restart, with its reason, is told from other changes', () => {
  const errors = Array.from({length: 60}, (_, index): Line => [900 + index, 'ERROR no connection']);
  const report = findIncident([
    sourceOf([...calm(1200), ...errors, [895, 'INFO container restarted: OOMKilled, exit code 137']]),
  ]);
  expect(told(report)).toContain('restart INFO container restarted: OOMKilled, exit code 137 14:14:55');
});

test('an activity that the log and the record both tell is told once', () => {
  const changes = findIncident([sourceOf(wave, {knownChanges: [activity(890)]}, 890)]).findings.filter(
    ({what}) => what === 'changed',
  );
  expect(changes.map(({first}) => first !== undefined)).toEqual([true]);
});

test('whether the log is whole: from when it is held, and the gaps', () => {
  const report = findIncident([sourceOf(wave, {wholeSince: at(300)})]);
  expect([formatClock(report.from), formatClock(report.wholeSince ?? 0n)]).toEqual(['14:00:00', '14:05:00']);
  expect(report.gaps).toEqual([]);
  const log = takeWindow(createBranchLog(1e9), {
    lines: [`${stamp(0)} a`, `${stamp(1)} b`],
    pods: [{name: 'a', createdAt: '1'}],
    cut: 'branch',
  }).log;
  const raws = wave.map(([second, text]) => `${stamp(second)} ${text}`).slice(200);
  const {buffer} = takeWindow(log, {lines: raws, pods: [{name: 'a', createdAt: '1'}], cut: 'branch'}).log;
  const gapped = findIncident([
    {buffer, shapes: noShapes, podNames: [], wholeSince: at(100), proof: 'said', knownChanges: []},
  ]);
  expect(gapped.gaps.map(({marker}) => formatClock(marker.before))).toEqual(['14:19:59']);
});

test('of several branches it rests on what the weakest rests on, and the lines are taken together', () => {
  const report = findIncident([sourceOf(calm(1200), {proof: 'inferred'}), sourceOf(wave)]);
  expect(report.proof).toBe('inferred');
  expect(report.findings[1]).toMatchObject({since: at(900.5), first: {source: 1}});
});

test('without errors all is calm', () => {
  const report = findIncident([sourceOf(calm(1800), {knownChanges: [activity(1200)]})]);
  expect([report.onset, report.errorCount]).toEqual([undefined, 0]);
  expect(told(report)).toEqual(['changed DEPLOY SUCCESS by user-9 14:20:00']);
  expect(findIncident([]).findings).toEqual([]);
});

test('a first look at much log tells the errors, and where each of a sample of lines was read the first one is exact', () => {
  const much = Array.from({length: 60_000}, (_, index): Line => [index / 50, `INFO job ${index} done`]);
  const errors = Array.from({length: 300}, (_, index): Line => [900.123 + index, 'ERROR boom']);
  const storm = Array.from(
    {length: 30_000},
    (_, index): Line => [1000.005 + index / 150, `INFO lock held by ${index}`],
  );
  const source = sourceOf([...much, ...errors, ...storm]);
  const quick = findIncident([source], 'quick');
  expect(quick.isComplete).toBe(false);
  expect(quick.findings[0]).toMatchObject({subject: 'errors', since: at(900.123)});
  const whole = findIncident([source]);
  expect(whole.findings.find(({what}) => what === 'storm')?.since).toBe(at(1000.005));
});

test('the onset is that of what began shortly before, not of what was over long before', () => {
  const warnings = (from: number) =>
    Array.from({length: 80}, (_, index): Line => [from + index, 'WARN pool is exhausted']);
  const errors = Array.from({length: 80}, (_, index): Line => [1000 + index, 'ERROR no connection']);
  expect(findIncident([sourceOf([...calm(1200), ...errors, ...warnings(950)])]).onset).toBe(at(950));
  expect(findIncident([sourceOf([...calm(1200), ...errors, ...warnings(600)])]).onset).toBe(at(1000));
});
