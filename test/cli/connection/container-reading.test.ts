import {expect, test} from 'vitest';
import {backendReading} from '#cli/connection/backend-client.ts';

test('a branch holds as much text as asked for, and as many lines as 200 bytes each leave room for', () => {
  expect(backendReading({bufferMb: 1, firstRead: undefined}, 5_000)).toEqual({
    holds: {bytesMax: 1_048_576, linesMax: 5_243, answerLinesMax: 20_000},
    firstLinesMs: 50,
    readerIsOperator: true,
  });
});

test('who asks for lines from before waits for them, but not for ever', () => {
  const firstRead = {tailLines: 100} as never;
  const reading = backendReading({bufferMb: 128, firstRead}, 5_000);
  expect(reading).toMatchObject({firstRead, firstReadMsMax: 5_000, holds: {bytesMax: 134_217_728}});
  expect(reading).not.toHaveProperty('firstLinesMs');
});
