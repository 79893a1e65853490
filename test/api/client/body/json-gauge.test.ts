import {expect, test} from 'vitest';
import {createJsonGauge} from '#api/client/body/parse-json.ts';
import {createRandom} from '../../../fuzz/mutate.ts';
import {runsOf} from '../../../support/thorough.ts';

const fits = (text: string): boolean => createJsonGauge()(Buffer.from(text));

test('a text that is nested too deeply is told, and one that is deep but not too deep is not', () => {
  expect(fits(`${'['.repeat(250_000)}${']'.repeat(250_000)}`)).toBe(true);
  expect(fits('['.repeat(250_001))).toBe(false);
  expect(fits('{"a":'.repeat(250_001))).toBe(false);
});

test('a text of more objects and arrays than data can have is told', () => {
  expect(fits(`[${'{},'.repeat(1_999_999)}0]`)).toBe(true);
  expect(fits(`[${'[],'.repeat(2_000_000)}0]`)).toBe(false);
});

test('brackets in strings do not count, wherever the text is cut into chunks, SEED=7', () => {
  const random = createRandom(7);
  const text = Buffer.from(
    JSON.stringify({data: Array.from({length: 40}, (_, index) => `${'\\'.repeat(index % 5)}"${'[{'.repeat(3000)}"`)}),
  );
  for (let round = 0; round < runsOf(20); round += 1) {
    const takes = createJsonGauge();
    for (let start = 0; start < text.length; ) {
      const end = start + 1 + Math.floor(random() * 5000);
      expect(takes(text.subarray(start, end))).toBe(true);
      start = end;
    }
    // The gauge has come out of the last string.
    expect(takes(Buffer.from('['.repeat(250_001)))).toBe(false);
  }
});
