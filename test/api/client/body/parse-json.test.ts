import {expect, test} from 'vitest';
import {parseJson} from '#api/client/body/parse-json.ts';
import {finishWork} from '#log/work.ts';

/** More than is parsed in one go. */
const filler = JSON.stringify('x'.repeat(4 * 1024 * 1024));

const parse = (body: string): unknown => finishWork(parseJson(Buffer.from(body)));

test.each([
  `{"a": [1, -2.5e3, true, false, null, "é \\u00e9 \\n \\" \\ud83d\\ude00"], "b": {}, "c": [], "d": [[], [{}]]}`,
  `{"a": 1, "__proto__": {"b": 2}, "constructor": "c", "a": 3, "é": "ü"}`,
  `[[[{"a": {"b": [{"c": "d"}]}}]]]`,
])('a large body is parsed piece by piece as JSON.parse does: %s', json => {
  const body = ` [${json} , ${filler}]\n`;
  const [parsed, same] = [parse(body), JSON.parse(body) as unknown];
  expect(parsed).toEqual(same);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(same));
});

test.each([`[${filler}`, `[${filler}] x`, `[${filler}, {"a" 1}]`, `[${filler}, nul]`])(
  'a large body that is not JSON is refused (%#)',
  body => {
    expect(() => parse(body)).toThrow(SyntaxError);
  },
);
