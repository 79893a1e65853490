import {expect, test} from 'vitest';
import {shapeWords} from '#log/traits/shape-table.ts';

test.each([
  ['‹time› ERROR [main] com.x.Worker - Processed batch ‹n›', 'ERROR [main] com.x.Worker - Processed batch ‹n›'],
  ['[‹time›] app.ERROR: boom', 'app.ERROR: boom'],
  ['time=‹time› level=error msg="cache refreshed" keys=‹n›', 'msg="cache refreshed" keys=‹n›'],
  ['[GIN] ‹time› |\x1b[‹n›;‹n›m ‹n› \x1b[‹n›m| POST', '[GIN] ‹time› | ‹n› | POST'],
  ['‹time› [error] ‹n›#‹n›: *‹n› upstream timed out', 'upstream timed out'],
  ['NOTICE: PHP message: PHP Fatal error:  boom', 'PHP Fatal error:  boom'],
  ['level=error ', 'level=error '],
  ['‹time›', '‹time›'],
  ['GET /cart/‹n› 500', 'GET /cart/‹n› 500'],
])('%j reads %j', (shape, words) => {
  expect(shapeWords(shape)).toBe(words);
});
