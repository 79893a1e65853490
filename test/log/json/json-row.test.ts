import {expect, test} from 'vitest';
import {formatJsonRow} from '../../../src/log/json/format-row.ts';
import {sanitise} from '../../../src/log/text/sanitise.ts';

const rows: readonly (readonly [string, string | undefined])[] = [
  // pino, zap, logrus, bunyan, ECS, Docker, Kubernetes, Monolog, Serilog
  ['{"level":30,"time":1770000000000,"pid":1,"hostname":"h","msg":"ready"}', 'INFO  ready pid=1 hostname=h'],
  [
    '{"level":"error","ts":1770000000.123,"caller":"a.go:1","msg":"it \\"failed\\"","error":"no route"}',
    'ERROR it "failed" caller=a.go:1 error="no route"',
  ],
  ['{"time":"2026-11-21T14:02:11Z","level":"warning","msg":"slow","ms":12.50}', 'WARN  slow ms=12.50'],
  ['{"name":"shop","v":0,"level":60,"msg":"bye","time":"2026-11-21T14:02:11.123Z"}', 'FATAL bye name=shop v=0'],
  ['{"@timestamp":"2026-11-21T14:02:11Z","log":{"level":"error","logger":"a"},"message":"x"}', 'ERROR x log.logger=a'],
  ['{"log":"hello\\n","stream":"stdout","time":"2026-11-21T14:02:11.1Z"}', 'hello stream=stdout'],
  ['2026-11-21T14:02:11.1Z stdout F {"severity":"ERROR","message":"x"}', '2026-11-21T14:02:11.1Z stdout F ERROR x'],
  [
    '[2026-11-21T14:02:11+00:00] app.ERROR: it failed {"a":1} []',
    '[2026-11-21T14:02:11+00:00] app.ERROR: it failed a=1',
  ],
  ['{"@t":"2026-11-21T14:02:11Z","@m":"hello","@l":"Debug"}', 'DEBUG hello'],
  // Nested fields, lists, exact numbers, copies of a name, the order
  [
    '{"req":{"id":12345678901234567890,"h":{"a":"b c"}},"z":1e400}',
    'req.id=12345678901234567890 req.h.a="b c" z=1e400',
  ],
  ['{"b":1,"a":2,"b":3}', 'b=1 a=2 b=3'],
  ['{"tags":["a",{"b":[1]}],"e":{},"x":"","n":null,"t":true}', 'tags=["a",{"b":[1]}] e={} x="" n=null t=true'],
  // A level, a message and a time that are none stay fields
  ['{"level":"green","msg":5,"time":3}', 'level=green msg=5 time=3'],
  ['{"msg":"","event":"login"}', 'login msg=""'],
  ['{"a":"say \\"hi\\""}', 'a="say \\"hi\\""'],
  ['{ "msg" : "x" , "a" : 1 }', 'x a=1'],
  // Text that is foreign is made safe
  ['{"msg":"\\u001b[31mred\\u202e J\\u00f6rg","a\\nb":"\\u0007"}', 'red� Jörg a␊b=␇'],
  // No record
  ['{}', undefined],
  ['{"a":1', undefined],
  ['{"a":01}', undefined],
  ['{"a":1,}', undefined],
  ["{'a':1}", undefined],
  ['{"a":1} and more', undefined],
  ['{"a":"x\ny"}', undefined],
  ['[1,2]', undefined],
  ['plain {text}', undefined],
  ['', undefined],
];

test.each(rows)('%s', (text, row) => {
  expect(formatJsonRow(text)?.text).toBe(row);
});

test('says what is wrong, and where names and known values stand', () => {
  const row = formatJsonRow(
    '2026-11-21T14:02:11Z {"level":50,"msg":"x","status":404,"req":{"method":"GET","url":"/a"}}',
  );
  expect(row?.spans.map(({start, end, field, severity}) => [row.text.slice(start, end), field, severity])).toEqual([
    ['2026-11-21T14:02:11Z', 'time', 'plain'],
    ['ERROR', 'level', 'bad'],
    ['status', 'key', 'plain'],
    ['404', 'status', 'warn'],
    ['req.method', 'key', 'plain'],
    ['req.url', 'key', 'plain'],
  ]);
});

test('a long value is cut at the same place whatever stands behind it', () => {
  const value = 'v'.repeat(300);
  const cut = `${'v'.repeat(199)}…`;
  expect(formatJsonRow(`{"a":"${value}","b":1}`)?.text).toBe(`a=${cut} b=1`);
  expect(formatJsonRow(`{"a":"${value}${value}"}`)?.text).toBe(`a=${cut}`);
});

test('a hundred fields are shown, the others counted', () => {
  const fields = Array.from({length: 130}, (_, index) => `"k${index}":${index}`);
  const text = formatJsonRow(`{${fields.join(',')}}`)?.text ?? '';
  expect(text).toContain(' k99=99 … 30 more');
  expect(text).not.toContain('k100');
});

test('fields that a full row has no room for are counted', () => {
  const fields = Array.from({length: 90}, (_, index) => `"k${index}":"${'v'.repeat(190)}"`);
  const text = formatJsonRow(`{${fields.join(',')}}`)?.text ?? '';
  const shown = text.match(/k\d+=/g)?.length ?? 0;
  expect(text.length).toBeLessThan(8192 + 400);
  expect(text).toMatch(new RegExp(`… ${90 - shown} more$`));
});

test('what is nested deeper than sixteen is shown as it stands', () => {
  const text = formatJsonRow(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`)?.text ?? '';
  expect(text).toBe(`${'a.'.repeat(15)}a={"a":{"a":{"a":{"a":1}}}}`);
});

test('a line of more than 64 KB is not taken apart', () => {
  expect(formatJsonRow(`{"a":"${'x'.repeat(65 * 1024)}"}`)).toBeUndefined();
  expect(formatJsonRow(`{"a":"${'x'.repeat(63 * 1024)}"}`)).toBeDefined();
});

test('making a row safe again changes nothing', () => {
  for (const [text] of rows) {
    const row = formatJsonRow(text)?.text ?? '';
    expect(sanitise(row)).toBe(row);
  }
});
