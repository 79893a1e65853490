import {type RecordInput, writeRecord} from './application-record.ts';

export type JsonInput = RecordInput & {readonly failing: boolean};

/** Writes one line of the application's own log, about a success or a failure. */
export const drawJsonLine = ({failing, ...input}: JsonInput): string => {
  const {random, code} = input;
  const {message, subject} = random.pick(failing ? code.failures : code.news);
  const levelName = failing ? (random.chance(0.8) ? 'ERROR' : 'CRITICAL') : random.chance(0.9) ? 'INFO' : 'DEBUG';
  const context = {
    [subject]: random.integer(4000, 98_000),
    duration_ms: failing ? random.integer(5000, 9000) : random.integer(2, 340),
  };
  return writeRecord(input, {message, context, levelName});
};
