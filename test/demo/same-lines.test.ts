import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {createSampleWorld} from '#demo/world/sample-backend.ts';
import type {ScenarioName} from '#demo/world/scenario-names.ts';
import {startMs} from './open-sample.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** What the branches of a scenario write around its start: how many lines, and digests of them and of their pods. */
const describeLines = (scenario: ScenarioName): string => {
  // These two write hundreds of lines a second.
  const [beforeMs, afterMs] = ['perpod', 'burst'].includes(scenario) ? [5_000, 15_000] : [60_000, 180_000];
  const branches = createSampleWorld({scenario, seed: 7, startMs}).flatMap(site => site.branches);
  const lines = branches.flatMap(({log}) => log.listEmitted(startMs - beforeMs, startMs + afterMs));
  const pods = branches.map(({roster}) => [-3_600_000, 0, 60_000, 240_000].map(roster));
  const texts = lines.map(({line, source, arrivesAtMs}) => `${line} ${source} ${arrivesAtMs}`);
  return `${lines.length} lines ${digestOf(texts.join('\n'))}, pods ${digestOf(JSON.stringify(pods))}`;
};

/** Some lines of the first branch, without their times. */
const someLines = (scenario: ScenarioName): readonly string[] => {
  const [branch] = createSampleWorld({scenario, seed: 7, startMs})[0]?.branches ?? [];
  const lines = branch?.log.listEmitted(startMs, startMs + 20_000) ?? [];
  return lines.slice(0, 3).map(({line}) => line.slice(line.indexOf(' ') + 1));
};

// A seed gives the same log each time. What was changed on purpose is recorded anew, after a look at some of the lines.
test.each<readonly [scenario: ScenarioName, lines: string]>([
  ['day', '2437 lines 389390e84b9d, pods 4f1f7ef4c755'],
  ['perpod', '4020 lines 6ed587255774, pods b0445ae626b9'],
  ['quiet', '332 lines 45df14309e6f, pods 40ca3d845b52'],
  ['burst', '12940 lines 1da01ad71ab2, pods dba1c8a3c766'],
  ['pods', '948 lines 4d15121fc658, pods 123723c1da2e'],
  ['late', '7511 lines f72ade6baf28, pods dba1c8a3c766'],
  ['unicode', '808 lines 19a473f149ba, pods dba1c8a3c766'],
  ['hostile', '1022 lines 98e6b9b2bffc, pods 4f641323d864'],
  ['errors', '875 lines 1385828d8848, pods dba1c8a3c766'],
])('%s has the same lines for the same seed and start', (scenario, lines) => {
  expect(describeLines(scenario)).toBe(lines);
});

test('its lines are those of shops and magazines, and of what runs beside them', () => {
  const told = (['day', 'burst', 'late', 'perpod', 'unicode'] as const).map(name => [name, someLines(name)]);
  expect(Object.fromEntries(told)).toMatchInlineSnapshot(`
    {
      "burst": [
        "203.0.113.214 - - [21/Nov/2026:14:12:06 +0000] "GET /wp-content/themes/market/style.css?ver=4.2 HTTP/1.1" 200 1861 "https://www.shop.example/" "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"",
        "{"message":"Row imported","context":{"row":1,"sku":"SKU-86557","batch":0},"level":200,"level_name":"INFO","channel":"import","datetime":"2026-11-21T14:12:13.000Z"}",
        "{"message":"Row imported","context":{"row":2,"sku":"SKU-24321","batch":0},"level":200,"level_name":"INFO","channel":"import","datetime":"2026-11-21T14:12:13.000Z"}",
      ],
      "day": [
        "203.0.113.154 - - [21/Nov/2026:14:12:06 +0000] "GET /shop/page/3/ HTTP/1.1" 200 58154 "https://www.shop.example/cart" "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"",
        "203.0.113.184 - - [21/Nov/2026:14:12:06 +0000] "GET /wp-content/themes/market/js/app.min.js?ver=4.2 HTTP/1.1" 304 0 "https://www.shop.example/product/328" "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"",
        "{"message":"Stock reserved","context":{"product_id":53168,"duration_ms":61},"level":200,"level_name":"INFO","channel":"till","datetime":"2026-11-21T14:12:06.930638+00:00","extra":{"request_id":"0cefc0ff1712"}}",
      ],
      "late": [
        "cache: dropped tax:de",
        "cache: dropped product:41",
        "cache: dropped product:42",
      ],
      "perpod": [
        "198.51.100.211 - - [21/Nov/2026:14:12:05 +0000] "GET /wp-json/till/v1/stock/199 HTTP/1.1" 200 1322 "https://www.shop.example/account/orders" "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15"",
        "198.51.100.115 - - [21/Nov/2026:14:12:05 +0000] "GET / HTTP/1.1" 200 17033 "https://www.shop.example/checkout" "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15"",
        "10.2.0.1 - - [21/Nov/2026:14:12:05 +0000] "GET /healthz HTTP/1.1" 200 2 "-" "ELB-HealthChecker/2.0"",
      ],
      "unicode": [
        "{"level":"info","time":"2026-11-21T14:12:05.003Z","msg":"注文を受け付けました。お支払いはカードです","id":7396}",
        "198.51.100.227 - - [21/Nov/2026:14:12:05 +0000] "GET /search?q=비행기표+서울 HTTP/1.1" 200 5593 "-" "Mozilla/5.0"",
        "{"level":"info","time":"2026-11-21T14:12:06.156Z","msg":"订单已付款,等待发货","id":5613}",
      ],
    }
  `);
});
