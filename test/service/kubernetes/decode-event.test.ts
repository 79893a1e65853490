import {expect, test} from 'vitest';
import {formatInstant} from '#log/line/instant.ts';
import {decodeEvent} from '#service/kubernetes/watch/kube-events.ts';

const makeEvent = (fields: object) => ({
  metadata: {uid: 'uid-1', name: 'web-1.17f', resourceVersion: '7', creationTimestamp: '2026-11-22T12:00:00Z'},
  involvedObject: {kind: 'Pod', name: 'web-1', uid: 'uid-web-1'},
  type: 'Warning',
  reason: 'BackOff',
  message: 'Back-off restarting failed container',
  ...fields,
});

test.each([
  [{count: 7, lastTimestamp: '2026-11-22T12:05:00Z', firstTimestamp: '2026-11-22T12:01:00Z'}, '12:05:00.000000000', 7],
  [{eventTime: '2026-11-22T12:02:00.123456Z', lastTimestamp: null}, '12:02:00.123456000', 1],
  [
    {eventTime: '2026-11-22T12:02:00Z', series: {count: 3, lastObservedTime: '2026-11-22T12:03:00.5Z'}},
    '12:03:00.500000000',
    3,
  ],
  [{firstTimestamp: '2026-11-22T12:01:00Z', count: 0}, '12:01:00.000000000', 1],
  [{}, '12:00:00.000000000', 1],
])('an event is stamped when it was seen last, and has its count: %j', (fields, time, count) => {
  const event = decodeEvent(makeEvent(fields));
  expect([event && formatInstant(event.stamp), event?.count]).toEqual([`2026-11-22T${time}Z`, count]);
  expect(event?.text).toBe(
    `Warning BackOff pod/web-1: Back-off restarting failed container${count > 1 ? ` (×${count})` : ''}`,
  );
});

test('an event is one line that names the container, and is cut', () => {
  const event = decodeEvent(
    makeEvent({
      type: 'Normal',
      reason: undefined,
      message: ` one\n\ttwo ${'x'.repeat(3_000)}`,
      involvedObject: {kind: 'Pod', name: 'web-1', fieldPath: 'spec.containers{php}'},
    }),
  );
  expect(event?.text).toBe(`Normal Event pod/web-1/php: one two ${'x'.repeat(1_992)}`);
});

test.each([{involvedObject: {name: 'web-1'}}, {metadata: {}}, {involvedObject: null}])('%j is no event', fields => {
  expect(decodeEvent(makeEvent(fields))).toBeUndefined();
});
