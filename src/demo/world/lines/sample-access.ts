import type {SitePaths} from '../plan/plans.ts';
import {createRandom, type Random} from '../seed/random.ts';
import {formatAccessTime} from './php-lines.ts';

/** The sender of a request: the same number is the same visitor, with the same address and browser. */
type Visitor = {readonly address: string; readonly agent: string};

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
];

const crawlers = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
];

const scanners = ['python-requests/2.32.5', 'Go-http-client/1.1', 'curl/8.16.0', '-'];

// The networks reserved for documentation by RFC 5737 and RFC 3849: they belong to nobody.
const networks = ['192.0.2.', '198.51.100.', '203.0.113.'];

const addressOf = (number: number): string =>
  number % 9 === 0
    ? `2001:db8:${(number * 7 + 16).toString(16)}::${(number * 31 + 2).toString(16)}`
    : `${networks[number % networks.length]}${1 + ((number * 37) % 254)}`;

// About as many as visit a small shop at one time.
const visitorsMax = 180;

/** Draws a person with a browser. */
export const drawVisitor = (random: Random): Visitor => {
  const number = random.integer(1, visitorsMax);
  return {address: addressOf(number), agent: browsers[(number * 5) % browsers.length] ?? '-'};
};

/** Draws a search engine's crawler. */
const drawCrawler = (random: Random): Visitor => {
  const number = random.integer(0, crawlers.length - 1);
  return {address: addressOf(400 + number * 4), agent: crawlers[number] ?? '-'};
};

/** Draws a vulnerability scanner. */
const drawScanner = (random: Random): Visitor => ({
  address: addressOf(random.integer(600, 612)),
  agent: random.pick(scanners),
});

type AccessInput = {
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly hostname: string;
  readonly paths: SitePaths;
  /** The share of requests that fail in the application, 0 to 1. */
  readonly trouble: number;
};

type Exchange = {
  readonly visitor: Visitor;
  readonly request: string;
  readonly status: number;
  readonly bytes: number;
  readonly referer: string;
};

const searchEngines = ['https://www.google.com/', 'https://duckduckgo.com/', 'https://www.bing.com/'];
const scannedPaths = [
  '/wp-login.php',
  '/.env',
  '/xmlrpc.php',
  '/.git/config',
  '/vendor/phpunit/phpunit/phpunit.xml',
  '/admin/',
];

/** Replaces `{n}` in a path with a number: `/product/{n}`. */
const fill = (random: Random, path: string): string => path.replace('{n}', String(random.integer(1, 480)));

/** A file's size does not change between two requests for it. */
const assetBytes = (path: string): number => createRandom('asset', path).integer(900, 84_000);

/** Returns the page of the site that the request came from. */
const pageOf = ({random, hostname, paths}: AccessInput): string =>
  `https://${hostname}${fill(random, random.pick(paths.pages))}`;

const drawAsset = (input: AccessInput): Exchange => {
  const {random, paths} = input;
  const path = fill(random, random.pick(paths.assets));
  const cached = random.chance(0.3);
  return {
    visitor: drawVisitor(random),
    request: `GET ${path}`,
    status: cached ? 304 : 200,
    bytes: cached ? 0 : assetBytes(path),
    referer: pageOf(input),
  };
};

/** Draws the outcome of a request: its normal status, or an error. */
const drawOutcome = (
  random: Random,
  trouble: number,
  good: number,
  goodBytes: number,
): [status: number, bytes: number] => {
  if (!random.chance(trouble)) {
    return [good, goodBytes];
  }
  return random.pick([
    [502, 157],
    [502, 157],
    [500, 2417],
    [504, 167],
    [503, 2630],
  ] satisfies [number, number][]);
};

const drawGoodPage = (random: Random): [status: number, bytes: number] => {
  const roll = random.fraction();
  if (roll < 0.03) {
    return [404, 5312];
  }
  // 499 is the web server's status for a client that closed the connection.
  return roll < 0.05 ? [301, 162] : roll < 0.056 ? [499, 0] : [200, random.integer(9000, 61_000)];
};

const drawPage = (input: AccessInput): Exchange => {
  const {random, paths, trouble} = input;
  const [status, bytes] = drawOutcome(random, trouble, ...drawGoodPage(random));
  const landing = `GET ${fill(random, random.pick(paths.landings))}`;
  const roll = random.fraction();
  if (roll < 0.1) {
    return {visitor: drawCrawler(random), request: landing, status, bytes, referer: '-'};
  }
  if (roll < 0.32) {
    const referer = random.chance(0.5) ? random.pick(searchEngines) : '-';
    return {visitor: drawVisitor(random), request: landing, status, bytes, referer};
  }
  const request = `GET ${fill(random, random.pick(paths.pages))}`;
  return {visitor: drawVisitor(random), request, status, bytes, referer: pageOf(input)};
};

const drawCall = (input: AccessInput, method: string, path: string): Exchange => {
  const {random, trouble} = input;
  const good = method === 'POST' && random.chance(0.5) ? 302 : 200;
  const [status, bytes] = drawOutcome(random, trouble, good, good === 302 ? 0 : random.integer(180, 4200));
  const request = `${method} ${fill(random, path)}`;
  return {visitor: drawVisitor(random), request, status, bytes, referer: pageOf(input)};
};

const drawExchange = (input: AccessInput): Exchange => {
  const {random, paths} = input;
  const roll = random.fraction();
  if (roll < 0.38) {
    return drawAsset(input);
  }
  if (roll < 0.74) {
    return drawPage(input);
  }
  if (roll < 0.86) {
    return drawCall(input, 'GET', random.pick(paths.api));
  }
  if (roll < 0.93) {
    return drawCall(input, 'POST', random.pick(paths.posts));
  }
  if (roll < 0.985) {
    const visitor = {address: `10.2.${random.integer(0, 3)}.1`, agent: 'ELB-HealthChecker/2.0'};
    return {visitor, request: 'GET /healthz', status: 200, bytes: 2, referer: '-'};
  }
  return {
    visitor: drawScanner(random),
    request: `GET ${random.pick(scannedPaths)}`,
    status: 404,
    bytes: 5312,
    referer: '-',
  };
};

/** Writes one line of the web server's access log, in the combined format. */
export const drawAccessLine = (input: AccessInput): string => {
  const {visitor, request, status, bytes, referer} = drawExchange(input);
  const time = formatAccessTime(input.atMs);
  return `${visitor.address} - - [${time}] "${request} HTTP/1.1" ${status} ${bytes} "${referer}" "${visitor.agent}"`;
};
