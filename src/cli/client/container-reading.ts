import {bytesPerMb} from '#cli/io/bytes-per-mb.ts';
import type {FirstRead} from '#service/containers/followed-container.ts';

/** What readers of containers' logs want of them. */
export type ContainerReading = {
  /** Text of lines that a branch holds, in MB. */
  readonly bufferMb: number;
  /** How far back the log is read at first; undefined: some lines will do, and the sooner the better. */
  readonly firstRead: FirstRead | undefined;
};

/** What a line takes beside its text, in bytes, rounded up. */
const lineOverheadBytes = 200;
/** An answer with so many lines is taken without a pause that a key would notice; the rest comes with the next. */
const answerLinesMax = 20_000;
/** How long a log that is only followed waits for more containers once the first lines are there, milliseconds. */
const firstLinesMs = 50;

/** Returns how a backend inside this program reads containers. `patientMs`: the longest wait for what was asked for. */
export const backendReading = ({bufferMb, firstRead}: ContainerReading, patientMs: number) => {
  const bytesMax = bufferMb * bytesPerMb;
  return {
    holds: {bytesMax, linesMax: Math.ceil(bytesMax / lineOverheadBytes), answerLinesMax},
    ...(firstRead ? {firstRead, firstReadMsMax: patientMs} : {firstLinesMs}),
    readerIsOperator: true,
  };
};
