import {followLine, followNothing} from '#log/reading/continuation.ts';
import {readError} from '#log/traits/line-traits.ts';

/** Whether a text continues a line of which nothing is known. */
export const isContinuation = (text: string): boolean => followLine(followNothing, text).isContinuation;

/** Whether a text is an error if nothing is known of the lines above it. */
export const isErrorText = (text: string): boolean => readError(followNothing, text).isError;
