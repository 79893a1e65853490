import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {levelOf} from '#log/reading/level.ts';
import {createErrorSigns, levelRank, wordsFrom} from '#log/tokens/level-words.ts';
import {readSamples} from '../../../scripts/format-samples.ts';
import {readCases} from '../../cases/read-cases.ts';
import {createSeededRandom} from '../../support/kubernetes/truth/seeded-random.ts';

const signs = createErrorSigns();

/** Checks for a sign that ends in the line, which follows another one. */
const hasSign = (line: string): boolean => {
  const bytes = Buffer.from(`\n${line}\n`).toString('latin1');
  return signs.some(sign => {
    sign.lastIndex = 0;
    return sign.test(bytes);
  });
};

const known = [
  ...readCases().flatMap(({path}) => readFileSync(path, 'utf8').split('\n')),
  ...readSamples().flatMap(({lines}) => lines.map(({text}) => text)),
];
const said = [
  'Nov 27 03:00:00 web-1 kernel: Memory cgroup out of memory: Kill process 4711 (php-fpm) score 998 or sacrifice child',
  'Nov 27 03:00:00 web-1 kernel: [ 31.004711] OUT OF MEMORY: killed process 4711 (php-fpm)',
  '[   31.004711]BUG: unable to handle page fault for address: 0000000000004711',
  '[   31.004711] traps: php-fpm[4711] general protection ip:7f ...',
  'Nov 27 03:00:00 web-1 kernel: ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x0',
  'Nov 27 03:00:00 lb-1 haproxy[12]: proxy shop has no server available!',
  'Nov 27 03:00:00 lb-1 haproxy[12]: Server shop/web-1 is DOWN, reason: Layer4 timeout',
  'Nov 27 03:00:00 mx-1 postfix/smtp[12]: 4F0: to=<a@b.example>, relay=none, status=bounced (unknown)',
  'Nov 27 03:00:00 web-1 job[12]: /opt/job: line 12: jq: command not found',
  'Nov 27 03:00:00 web-1 job[12]: run.sh: line 12:    45 Killed                  java -jar app.jar',
  '2026-11-27 03:00:00.123456E | raft: refused',
  '{"level":03,"msg":"slow"}',
  'Nov 27 03:00:00 web-1 job[12]: SIGSEGV: segmentation violation',
  'Nov 27 03:00:00 web-1 job[12]: double free or corruption (out)',
  '2026-11-27 03:00:00 1tDabc-0001AB-2C ** a@b.example R=dns T=smtp: refused',
  '2026-11-27T03:00:00.031Z 5f0a8b6e-0001-4c00-8000-000000000001 Task timed out after 3.00 seconds',
];
const stating = known.filter(line => levelRank(levelOf(line)) >= levelRank('error'));

test('each line that states an error only by what its program says has a sign of it', () => {
  expect(said.filter(line => levelRank(levelOf(line)) < levelRank('error'))).toEqual([]);
  expect(said.filter(line => !hasSign(line))).toEqual([]);
});

test('each line of the cases and samples that states an error has a sign of it', () => {
  expect(stating.length).toBeGreaterThan(300);
  expect(stating.filter(line => !hasSign(line))).toEqual([]);
});

test('the version of a browser is no sign', () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36';
  const access = (status: number): string =>
    `10.0.0.1 - - [27/Nov/2026:03:00:00 +0000] "GET / HTTP/1.1" ${status} 5 "-" "${agent}"`;
  expect([hasSign(access(200)), hasSign(access(503))]).toEqual([false, true]);
});

const heads = [
  ...['2026-11-27 03:00:00,123 ', '[2026-11-27T03:00:00Z] ', '[27/Nov/2026:03:00:00 +0000] ', '1764212400 ', '   '],
  ...[
    'Nov 27 03:00:00 host app[12]: ',
    '2026-11-27T03:00:00Z host app[12]: ',
    '2026-11-27T03:00:00Z stdout F ',
    'web-1 | ',
  ],
];

test('so has each of them after what may stand before it, if it states one there', () => {
  const headed = heads.flatMap(head => stating.map(line => head + line));
  expect(headed.filter(line => levelRank(levelOf(line)) >= levelRank('error') && !hasSign(line)).slice(0, 9)).toEqual(
    [],
  );
});

const seed = Number(process.env.SEED ?? 20_261_127);

test(`so has what is left of each line, cut and put before or into another one, if it states one: seed ${seed}`, () => {
  const random = createSeededRandom(seed);
  const any = (): string => known[random.between(0, known.length - 1)] ?? '';
  const mixed = Array.from({length: 40_000}, () => {
    const [line, other] = [any(), any()];
    const at = random.between(0, line.length);
    const rest = line.slice(at + random.between(0, 3));
    return `${line.slice(0, at)}${[other, other.slice(0, random.between(0, 20)), rest][random.between(0, 2)]}`;
  });
  const errors = mixed.filter(line => levelRank(levelOf(line)) >= levelRank('error'));
  expect(errors.length).toBeGreaterThan(5_000);
  expect(errors.filter(line => !hasSign(line)).slice(0, 9)).toEqual([]);
});

test('so has each word for such a level wherever it states one', () => {
  const forms = ['2026-11-27 03:00:00 W x', '[W] x', 'level=W x', '{"level":"W"}', '2026-11-27 03:00:00 | W | x'];
  const lines = wordsFrom('error').flatMap(word =>
    [word, word.toUpperCase(), `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`].flatMap(written =>
      forms.map(form => form.replace('W', written)),
    ),
  );
  expect(lines.filter(line => !hasSign(line))).toEqual([]);
});

test('most lines without an error have none', () => {
  const lines = [
    '10.1.2.7 - - [27/Nov/2026:03:00:00 +0000] "GET /product/7712 HTTP/1.1" 200 4123 "-" "Mozilla/5.0 (Windows NT 10.0)"',
    '2026-11-27 03:00:00,123 INFO  [http-nio-8080-exec-3] com.shop.OrderService - order stored 4711 in 31 ms',
    '{"level":30,"time":1764212400000,"pid":17,"msg":"request completed"}',
    'Nov 27 03:00:00 host CRON[12]: (root) CMD (run-parts /etc/cron.hourly)',
    '\tat com.shop.OrderService.pay(OrderService.java:17)',
    '',
  ];
  expect(lines.filter(hasSign)).toEqual([]);
});
