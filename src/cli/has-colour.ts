import type {OutputStream} from './io.ts';

/** Whether to colour what is written: on a terminal that is not dumb, unless NO_COLOR (no-color.org) is set to anything. */
export const hasColour = (stream: OutputStream, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && env.TERM !== 'dumb' && !env.NO_COLOR;
