import type {FakeWindow} from '../support/fake-log.ts';

const web = {name: 'shop-web-7f9c-x2x4', createdAt: '2026-11-21T09:00:00Z'};
const old = {name: 'shop-web-6d88-k9q1', createdAt: '2026-11-20T09:00:00Z'};

const clock = (second: number): string => new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString().slice(0, 19);

/** A line of the web server, so many seconds after 14:00:00. */
const access = (second: number, path: string, status = 200): string =>
  `${clock(second)}.118000000Z 10.2.0.${second % 20} - - [21/Nov/2026:${clock(second).slice(11)} +0000] "GET ${path} HTTP/1.1" ${status} ${1200 + second} "https://shop.example/" "Mozilla/5.0 (X11; Linux x86_64)"`;

const calm = Array.from({length: 22}, (_, index) => access(index * 14, `/product/${40 + index}`));

/** Twenty-two calm lines from 14:00:00 on. */
export const firstWindow: FakeWindow = {header: 'branch', lines: calm, pods: [web, old]};

const tie = '2026-11-21T14:05:10.000000001Z NOTICE: PHP message: cache warmed';

const trouble = [
  // After lines that are held already.
  '2026-11-21T14:04:43.500000000Z editor: saved index.php, later than others',
  access(300, '/cart'),
  // Two lines of one nanosecond, and a true copy.
  tie,
  tie,
  '2026-11-21T14:05:10.000000001Z NOTICE: PHP message: cache checked',
  '2026-11-21T14:05:12.250000000Z NOTICE: PHP message: PHP Fatal error:  Uncaught Error: Call to a member function total() on null in /srv/app/cart.php:41',
  access(313, '/checkout', 502),
  access(314, '/checkout', 404),
];

/** The same log a little later: a late line, ties, a copy, and errors. */
export const laterWindow: FakeWindow = {header: 'branch', lines: [...calm, ...trouble].toSorted(), pods: [web, old]};

/** The window has moved on past all that was held. */
const afterGap = Array.from({length: 5}, (_, index) => access(400 + index, `/product/${70 + index}`));
export const movedWindow: FakeWindow = {header: 'branch', lines: afterGap, pods: [web, old]};

/** One pod went and another came. */
export const deployedWindow: FakeWindow = {
  header: 'branch',
  lines: [...afterGap, access(410, '/'), access(411, '/cart', 200)],
  pods: [web, {name: 'shop-web-9b1e-p3v7', createdAt: '2026-11-21T14:06:45Z'}],
};

/** The log of another branch in the same minutes. */
export const cartWindow: FakeWindow = {
  header: 'branch',
  lines: [
    '2026-11-21T14:03:40.000000000Z NOTICE: fpm is running, pid 1',
    '2026-11-21T14:03:40.250000000Z NOTICE: ready to handle connections',
    '2026-11-21T14:04:12.118000000Z 10.2.0.3 - - "GET /cart HTTP/1.1" 200 1312',
    '2026-11-21T14:04:31.500000000Z NOTICE: PHP message: PHP Fatal error:  Uncaught Error: Call to a member function total() on null',
    '2026-11-21T14:04:50.000000000Z 10.2.0.3 - - "POST /cart HTTP/1.1" 502 157',
  ],
  pods: [{name: 'cart-web-5c4d-t1z9', createdAt: '2026-11-21T14:03:00Z'}],
};

const checkout = (second: number, status: number): string => access(second, '/checkout', status).replace('GET', 'POST');

/** From 13:51:30 on, a request every other second, one of ten to the checkout. */
const steady = (to: number, isBroken: (second: number) => boolean): readonly string[] =>
  Array.from({length: (to + 510) / 2}, (_, index) => index * 2 - 510).flatMap(second => [
    second % 10 === 0 ? checkout(second, isBroken(second) ? 502 : 200) : access(second, '/product/41'),
    ...(isBroken(second) && second % 4 === 0
      ? [`${clock(second)}.200000000Z ERROR Payment gateway timed out order=${second}`]
      : []),
    ...(isBroken(second) ? [`${clock(second)}.300000000Z WARN Slow request order=${second}`] : []),
    ...(second === -400 || second === 100 ? [`${clock(second)}.400000000Z ERROR mail queue full`] : []),
  ]);

/** Two minutes of errors that are over, in twenty minutes up to 14:12. */
export const troubleWindow: FakeWindow = {
  header: 'branch',
  lines: steady(720, second => second >= 300 && second < 420),
  pods: [web],
};

/** The same without that, and one that ends at 14:03:20. */
export const calmWindow: FakeWindow = {header: 'branch', lines: steady(720, () => false), pods: [web]};
export const silentWindow: FakeWindow = {header: 'branch', lines: steady(200, () => false), pods: [web]};
