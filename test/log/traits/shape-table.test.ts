import {expect, test} from 'vitest';
import {createBranchLog} from '#log/ingest/branch-log.ts';
import {takeWindow} from '#log/ingest/take-window.ts';
import {readLineParts} from '#log/traits/read-parts.ts';
import {eventShapeOf, newShapesOf, noShapes, type ShapeTable, takeShapes} from '#log/traits/shape-table.ts';
import {finishWork} from '#log/work.ts';

type Line = readonly [second: number, text: string];

const stamp = (second: number): string =>
  `${new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, -1)}000000Z`;

/** Each window continues the one before: it repeats all lines so far. */
const watch = (...windows: readonly (readonly Line[])[]): ShapeTable => {
  let log = createBranchLog(1e9);
  let table = noShapes;
  const lines: string[] = [];
  for (const window of windows) {
    lines.push(...window.map(([second, text]) => `${stamp(second)} ${text}`));
    const before = log.buffer;
    log = takeWindow(log, {lines: [...lines], pods: [], cut: 'branch'}).log;
    table = finishWork(takeShapes(table, before, log.buffer));
  }
  return table;
};

/** A line a second that says nothing bad. */
const calm = (from: number, to: number): readonly Line[] =>
  Array.from({length: to - from}, (_, index): Line => [from + index, `INFO job ${from + index} done`]);

const by = (...lines: readonly Line[]): readonly Line[] => lines.toSorted(([a], [b]) => a - b);

const newOnes = (table: ShapeTable): readonly (readonly [string, number])[] =>
  newShapesOf([table]).map(({shape, count}) => [shape, count]);

test('of a first window, its first third teaches what is usual', () => {
  const table = watch(
    by(...calm(0, 360), [60, 'ERROR db 1 away'], [200, 'ERROR db 2 away'], [210, 'ERROR pay 7'], [300, 'ERROR pay 8']),
  );
  expect(newOnes(table)).toEqual([['ERROR pay ‹n›', 2]]);
});

test('a short first window teaches nothing yet: five minutes of watching do', () => {
  const table = watch(
    by(...calm(0, 60), [50, 'ERROR db 1 away']),
    by(...calm(60, 420), [300, 'ERROR mail 1'], [400, 'ERROR pay 7']),
  );
  expect(newOnes(table)).toEqual([['ERROR pay ‹n›', 1]]);
});

test('a first window of three minutes is long enough, and what comes with the end of learning is usual', () => {
  const first: readonly Line[] = [
    [0, 'INFO on'],
    [60, 'ERROR db away'],
    [61, 'ERROR pay away'],
  ];
  const later: readonly Line[] = [
    [479, 'ERROR mail away'],
    [480, 'ERROR disk full'],
  ];
  expect(newOnes(watch([...first, [180, 'INFO off']]))).toEqual([['ERROR pay away', 1]]);
  expect(newOnes(watch([...first, [179, 'INFO off']], later))).toEqual([['ERROR disk full', 1]]);
});

test('a shape counts each of its events once, and knows its first and last', () => {
  const at = (second: number): bigint => BigInt(Date.UTC(2026, 10, 21, 14, 0, second)) * 1_000_000n;
  const first: readonly Line[] = [
    [0, 'INFO on'],
    [200, 'ERROR pay 1'],
    [200, 'ERROR pay 2'],
    [300, 'ERROR pay 3'],
    [360, 'INFO off'],
  ];
  const [once] = newShapesOf([watch(first)]);
  expect(once).toMatchObject({count: 3, firstAt: at(200), lastAt: at(300), firstId: 2});
  const [late] = newShapesOf([watch(first, [[250, 'ERROR pay 4']])]);
  expect(late).toMatchObject({count: 4, firstAt: at(200), lastAt: at(300), firstId: 2});
  const [again] = newShapesOf([watch(first, [[200, 'ERROR pay 4']])]);
  expect(again).toMatchObject({count: 4, firstAt: at(200), firstId: 2});
});

test('new shapes of several branches are in order of time, those of one moment in order of the branches', () => {
  const watched = (...lines: readonly Line[]): ShapeTable => watch([[0, 'INFO on'], ...lines, [360, 'INFO off']]);
  const tables = [
    watched([200, 'ERROR b'], [300, 'ERROR d']),
    watched([150, 'ERROR a'], [200, 'ERROR c'], [300, 'ERROR e']),
  ];
  expect(newShapesOf(tables).map(({shape, source}) => [shape, source])).toEqual([
    ['ERROR a', 1],
    ['ERROR b', 0],
    ['ERROR c', 1],
    ['ERROR d', 0],
    ['ERROR e', 1],
  ]);
});

test('lines without events leave a table as it is once learning has begun', () => {
  const log = createBranchLog(1e9);
  const take = (lines: readonly Line[], from = log) =>
    takeWindow(from, {lines: lines.map(([at, text]) => `${stamp(at)} ${text}`), pods: [], cut: 'branch'}).log;
  const first = take(calm(0, 10));
  const more = take(calm(0, 20), first);
  const table = finishWork(takeShapes(noShapes, log.buffer, first.buffer));
  expect(finishWork(takeShapes(noShapes, log.buffer, log.buffer))).toBe(noShapes);
  expect(table.learnedUntil).toBeDefined();
  expect(finishWork(takeShapes(table, first.buffer, more.buffer))).toBe(table);
});

test('a first window without any event teaches that none is usual', () => {
  const table = watch(calm(0, 360), by(...calm(360, 3600), [700, 'ERROR pay 7']));
  expect(newOnes(table)).toEqual([['ERROR pay ‹n›', 1]]);
});

test('warnings are events too, other lines and rows of a trace are not', () => {
  const table = watch(
    by(...calm(0, 360), [300, 'WARN slow'], [301, '    at pay (a.js:1)'], [302, 'INFO hello'], [303, 'plain words']),
  );
  expect(newOnes(table)).toEqual([['WARN slow', 1]]);
});

test('an older line that comes late takes the place of the first, and may show that it was usual', () => {
  const first = by(...calm(0, 360), [300, 'ERROR pay 1'], [310, 'ERROR db 1']);
  const table = watch(first, [
    [250, 'ERROR pay 0'],
    [20, 'ERROR db 0'],
  ]);
  expect(newOnes(table)).toEqual([['ERROR pay ‹n›', 2]]);
  const [{firstId = 0} = {}] = newShapesOf([table]);
  expect(table.newIds).toEqual(new Set([firstId]));
  // Later than the 362 lines of the first window.
  expect(firstId).toBeGreaterThan(362);
});

test('lines with stamps of another age do not make everything new', () => {
  const table = watch(by([-1e9, 'INFO from another age'], ...calm(0, 360), [60, 'ERROR db 1 away']));
  expect(newOnes(table)).toEqual([]);
});

test('a trace of Python is of the kind of the exception at its end, one of Rust of its message', () => {
  const trace = (at: number, name: string, said: string): readonly Line[] => [
    [at, 'Traceback (most recent call last):'],
    [at, '  File "shop.py", line 3, in pay'],
    [at, `${name}: ${said}`],
  ];
  const table = watch(
    by(
      ...calm(0, 360),
      ...trace(60, 'ValueError', 'bad total 1'),
      ...trace(200, 'ValueError', 'bad total 2'),
      ...trace(210, 'shop.PayError', 'no gateway'),
      [220, "thread 'main' panicked at src/main.rs:3:5:"],
      [220, 'index 5 is out of bounds'],
    ),
  );
  expect(newOnes(table)).toEqual([
    ['shop.PayError: no gateway', 1],
    ['index ‹n› is out of bounds', 1],
  ]);
});

test('a trace of which only the beginning is held is of no kind', () => {
  const table = watch(by(...calm(0, 360), [359, 'Traceback (most recent call last):']));
  expect(newOnes(table)).toEqual([]);
});

test('past a thousand shapes no further one is taken', () => {
  const words = Array.from(
    {length: 1100},
    (_, index): Line => [
      200 + index / 10,
      `ERROR ${index.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')} broke`,
    ],
  );
  expect(newOnes(watch(by(...calm(0, 360), ...words)))).toHaveLength(1000);
});

const shapeOf = (text: string): string => eventShapeOf(readLineParts(text));
const access = (path: string, status: number): string =>
  `10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 157`;

test('a request has no path, for a fault after it shows on many; a record has its status', () => {
  expect(shapeOf(access('/wp-login.php', 404))).toBe('GET ‹path› 404');
  expect(shapeOf(access('/cart/12', 502))).toBe('GET ‹path› 502');
  expect(shapeOf('{"msg":"handled request","uri":"/cart/12","status":502}')).toBe('handled request 502');
});

test('what a text quotes is left out, of a logfmt line all but what it says', () => {
  expect(shapeOf('[error] open() "/a b.html" failed, request: "GET /x HTTP/1.1", host: "h"')).toBe(
    '[error] open() "‹text›" failed, request: "‹text›", host: "‹text›"',
  );
  expect(shapeOf('level=error msg="no space left" path="/x" req=5825b60 by "me"')).toBe('no space left');
  expect(shapeOf('time="now" level=error msg="cannot \\"save\\"" err="disk full" id=7')).toBe(
    'cannot \\"save\\" disk full',
  );
  expect(shapeOf('level=warn msg=timeout after=30s')).toBe('timeout');
  expect(shapeOf('{"level":"error","message":"no \\"x\\" here"}')).toBe('no \\"‹text›" here');
  expect(shapeOf('\u001b[31mERROR\u001b[0m no \u001b[1;4mdisk\u001b[m')).toBe('ERROR no disk');
  expect(shapeOf('{"level":"error","code":"E1"}')).toBe('{"level":"error","code":"E‹n›"}');
});

test('two exceptions with the same message are two kinds', () => {
  const failed = (name: string): string =>
    shapeOf(`{"level":50,"err":{"type":"${name}","message":"x"},"msg":"failed"}`);
  expect([failed('PayError'), failed('CartError')]).toEqual(['failed PayError', 'failed CartError']);
  expect(shapeOf('ERROR failed: PayError: x')).toBe('ERROR failed: PayError: x');
});

/** What sshd, PAM, sudo, Postfix and MySQL say of several users, hosts and addresses. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  'Invalid user ‹name› from ‹ip› port ‹n›': [
    'sshd[1]: Invalid user admin from 1.2.3.4 port 22',
    'sshd[2]: Invalid user test9 from 52.80.34.196 port 4022',
    'sshd[2]: Invalid user 0 from 52.80.34.196 port 4022',
  ],
  'Failed password for ‹name› from ‹ip› port ‹n› ssh‹n›': [
    'sshd[1]: Failed password for root from 1.2.3.4 port 22 ssh2',
    'sshd[1]: Failed password for uucp from 1.2.3.4 port 22 ssh2',
  ],
  'Failed password for invalid user ‹name› from ‹ip› port ‹n› ssh‹n›': [
    'sshd[1]: Failed password for invalid user chen from 1.2.3.4 port 22 ssh2',
    'sshd[1]: Failed password for invalid user webmaster from 1.2.3.4 port 22 ssh2',
  ],
  'pam_unix(sshd:auth): authentication failure; logname= uid=‹n› euid=‹n› tty=ssh ruser= rhost=‹name›  user=‹name›': [
    'sshd[1]: pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=1.2.3.4  user=root',
    'sshd[1]: pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=5.36.59.76.dynamic.example.net  user=ftp',
  ],
  'Disconnecting: Too many authentication failures for ‹name› [preauth]': [
    'sshd[1]: Disconnecting: Too many authentication failures for root [preauth]',
    'sshd[1]: Disconnecting: Too many authentication failures for admin [preauth]',
  ],
  'reverse mapping checking getaddrinfo for ‹name› [‹ip›] failed - POSSIBLE BREAK-IN ATTEMPT!': [
    'sshd[1]: reverse mapping checking getaddrinfo for ns.example.com [1.2.3.4] failed - POSSIBLE BREAK-IN ATTEMPT!',
    'sshd[1]: reverse mapping checking getaddrinfo for 191-210.user.example.br [1.2.3.4] failed - POSSIBLE BREAK-IN ATTEMPT!',
  ],
  'Address ‹ip› maps to ‹name›, but this does not map back to the address - POSSIBLE BREAK-IN ATTEMPT!': [
    'sshd[1]: Address 1.2.3.4 maps to a.b.example.com, but this does not map back to the address - POSSIBLE BREAK-IN ATTEMPT!',
    'sshd[1]: Address 1.2.3.4 maps to mail.example.net, but this does not map back to the address - POSSIBLE BREAK-IN ATTEMPT!',
  ],
  '‹name› : user NOT in sudoers ; TTY=pts/‹n› ; PWD=‹name› ; USER=‹name› ; COMMAND=‹name›': [
    'sudo[1]: bob : user NOT in sudoers ; TTY=pts/0 ; PWD=/home/bob ; USER=root ; COMMAND=/bin/ls',
    'sudo[1]: eve : user NOT in sudoers ; TTY=pts/1 ; PWD=/home/eve ; USER=root ; COMMAND=/bin/cat',
  ],
  'warning: ‹name›[‹ip›]: SASL LOGIN authentication failed': [
    'postfix[1]: warning: unknown[1.2.3.4]: SASL LOGIN authentication failed',
    'postfix[1]: warning: mail.example.com[1.2.3.4]: SASL LOGIN authentication failed',
  ],
  'ERROR: Access denied for user ‹name› (using password: YES)': [
    "mysqld[1]: ERROR: Access denied for user 'root'@'10.0.0.1' (using password: YES)",
    "mysqld[1]: ERROR: Access denied for user 'shop'@'web-1' (using password: YES)",
  ],
  'ERROR login failed for ‹name›': [
    'app[1]: ERROR login failed for bob@example.com',
    'app[1]: ERROR login failed for eve@mail.example.org',
  ],
  // Words that are no names stay.
  'user came for a reason: ERROR : x': ['app[1]: user came for a reason: ERROR : x'],
  'pam_unix(sshd:auth): check pass; user unknown': ['sshd[1]: pam_unix(sshd:auth): check pass; user unknown'],
};

test.each(Object.entries(refusals))('%s', (shape, lines) => {
  expect(lines.map(line => shapeOf(`Dec 10 06:55:46 LabSZ ${line}`))).toEqual(lines.map(() => shape));
});
