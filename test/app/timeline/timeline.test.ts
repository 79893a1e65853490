import {expect, test} from 'vitest';
import {timelineOf} from '#app/timeline/timeline.ts';
import {parseInstant} from '#log/line/instant.ts';

const at = (time: string): bigint => parseInstant(`2026-11-21T${time}Z`) ?? 0n;

test('what is told or marked of nobody knows which log is a row of all of them', () => {
  const told = [{at: at('14:02:00'), text: 'blind: no answer', basis: null}];
  const marks = [
    {
      at: at('14:01:00'),
      note: 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
    },
    {at: at('13:00:00'), note: 'too early'},
  ];
  const {rows, leftOut} = timelineOf([], {told, marks}, {from: at('14:00:00'), to: at('15:00:00')});
  expect(rows.map(({what, branch, text, link}) => [what, branch, text, link])).toEqual([
    ['mark', null, 'token ********', undefined],
    ['guard', null, 'blind: no answer', undefined],
  ]);
  expect(leftOut).toBe(0);
});

test('of more than anybody reads, the newest are left, and the others counted', () => {
  const marks = Array.from({length: 1003}, (_, index) => ({at: at('14:00:00') + BigInt(index), note: String(index)}));
  const {rows, leftOut} = timelineOf([], {told: [], marks}, {from: at('14:00:00'), to: at('15:00:00')});
  expect([rows.length, rows[0]?.text, leftOut]).toEqual([1000, '3', 3]);
});
