import type {Random} from '../world/seed/random.ts';

/** The sender of a request: the same number is the same visitor, with the same address and browser. */
export type Visitor = {readonly address: string; readonly agent: string};

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
export const drawCrawler = (random: Random): Visitor => {
  const number = random.integer(0, crawlers.length - 1);
  return {address: addressOf(400 + number * 4), agent: crawlers[number] ?? '-'};
};

/** Draws a vulnerability scanner. */
export const drawScanner = (random: Random): Visitor => ({
  address: addressOf(random.integer(600, 612)),
  agent: random.pick(scanners),
});
