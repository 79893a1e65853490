import {describe, expect, test} from 'vitest';
import {agentFamilyOf, fieldsOfLine} from '#log/incident/findings/line-fields.ts';
import {evidenceOfShares, findWho} from '#log/incident/findings/who.ts';
import {findingOf} from '#log/incident/incident-finding.ts';
import type {SourceName} from '#log/line/entry.ts';
import {finishWork} from '#log/work.ts';
import {atSecond, eventsOf, linesEvery, type TimedLine} from '../events-of.ts';

describe('whose lines are mostly those of a finding', () => {
  const hosts = ['api-aaaaa', 'api-bbbbb', 'api-ccccc', 'api-ddddd'];
  const lineOf = (level: string, host: string | undefined, more = ''): string =>
    `level=${level} msg="${level === 'error' ? 'payment refused' : 'order stored'}" hostname=${host} ${more}`;
  const calm = (more?: string) => linesEvery(1, 0, 600, index => lineOf('info', hosts[index % 4], more));
  const refused = findingOf({what: 'new', of: 'kind', subject: 'payment refused', since: atSecond(300)});
  const who = (lines: readonly TimedLine[], finding = refused) => finishWork(findWho(finding, eventsOf(lines)));

  test('are those of one host, where the others of the time are of all hosts', () => {
    const lines = [...calm(), ...linesEvery(3, 300, 600, lineOf('error', hosts[1]))];
    expect(who(lines)).toEqual([{field: 'hostname', value: 'api-bbbbb', share: 1, others: 0.25}]);
  });

  test('are nobody where the others are the same, or where they are of many', () => {
    const alike = linesEvery(1, 0, 600, lineOf('info', hosts[1]));
    expect(who([...alike, ...linesEvery(3, 300, 600, lineOf('error', hosts[1]))])).toEqual([]);
    expect(who([...calm(), ...linesEvery(3, 300, 600, index => lineOf('error', hosts[index % 4]))])).toEqual([]);
  });

  test('are those of a version, if each has it, though the others have it too', () => {
    const lines = [
      ...calm('version=2.4.0'),
      ...linesEvery(3, 300, 600, index => lineOf('error', hosts[index % 4], 'version=2.4.0')),
    ];
    expect(who(lines)).toEqual([{field: 'version', value: '2.4.0', share: 1, others: 1}]);
  });

  test('are nobody of fewer than twenty lines', () => {
    const of = (count: number) =>
      who([...calm(), ...linesEvery(3, 300, 300 + 3 * count, lineOf('error', hosts[1]))]).length;
    expect([of(19), of(20)]).toEqual([0, 1]);
  });

  test('are no ids, no levels, and nothing that the finding says itself', () => {
    const lines = [
      ...linesEvery(1, 0, 600, index => lineOf('info', hosts[index % 4], `id=${index} path=/p${index % 5} code=0`)),
      ...linesEvery(3, 300, 600, index =>
        lineOf('error', hosts[index % 4], `id=e${index} path=/p1 code=17 duration_ms=1`),
      ),
    ];
    expect(who(lines)).toEqual([{field: 'path', value: '/p1', share: 1, others: 0.2}]);
    const said = findingOf({...refused, subject: 'payment refused', of: 'errors'});
    expect(who(lines, said)).toEqual([{field: 'path', value: '/p1', share: 1, others: 0.2}]);
  });

  test('are the slow ones of a request, and those of a status', () => {
    const request = (index: number, more: object): string =>
      JSON.stringify({method: 'GET', path: '/cart', status: 200, duration_ms: 20, host: hosts[index % 4], ...more});
    const lines = linesEvery(1, 0, 600, index =>
      request(index, index > 300 && index % 4 === 2 ? {duration_ms: 900, status: 404} : {}),
    );
    const slower = findingOf({
      ...{what: 'slower', of: 'request', subject: 'GET /cart', since: atSecond(300), before: 20, now: 900},
    });
    const named = [{field: 'host', value: 'api-ccccc', share: 1, others: 0}];
    expect(who(lines, slower)).toEqual(named);
    expect(who(lines, findingOf({what: 'rise', of: 'status', subject: '404', since: atSecond(300)}))).toEqual(named);
  });

  test('are asked of no change, and of nothing that stopped', () => {
    const lines = [...calm(), ...linesEvery(3, 300, 600, lineOf('error', hosts[1]))];
    expect(who(lines, {...refused, what: 'changed'})).toEqual([]);
    expect(who(lines, {...refused, what: 'stopped'})).toEqual([]);
  });
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0', 'Edge'],
  ['Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36', 'Chrome'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 'Safari'],
  ['Mozilla/5.0 (X11; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
  ['curl/8.11.0', 'curl'],
  ['okhttp/4.12.0', 'okhttp'],
])('the family of %s is %s', (agent, family) => {
  expect(agentFamilyOf(agent)).toBe(family);
});

test('the fields of a line have their names, whatever its form', () => {
  const fields = (text: string, source?: SourceName) => Object.fromEntries(fieldsOfLine(text, 1, source));
  expect(fields('Nov 21 14:02:11 web-1 app[12]: started region=eu', {pod: 'p', container: 'c'})).toEqual({
    ...{pod: 'p', container: 'c', host: 'web-1', region: 'eu'},
  });
  expect(
    fields('10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /cart/17?a=b HTTP/1.1" 200 157 "-" "curl/8.11.0"'),
  ).toMatchObject({path: '/cart/‹n›', method: 'GET', client: '10.2.0.7', 'user agent': 'curl'});
  expect(fields('{"msg":"a \\"b\\" c","kubernetes":{"pod_name":"web-1"},"size":50}')).toEqual({
    ...{msg: 'a \\"b\\" c', pod_name: 'web-1', size: '50'},
  });
  expect(fields('connect failed, upstream: "http://10.0.0.5:80/", host: "shop"')).toEqual({
    ...{upstream: 'http://10.0.0.5:80/', host: 'shop'},
  });
});

test('the evidence of two shares grows with the lines, and is none for a smaller one', () => {
  expect(evidenceOfShares(20, 20, 5, 20)).toBeCloseTo(15.22, 2);
  expect(evidenceOfShares(5, 20, 20, 20)).toBe(0);
  expect(evidenceOfShares(20, 20, 0, 0)).toBe(0);
});
