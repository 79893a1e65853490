import {detectCapabilities} from '../terminal/capabilities.ts';
import type {OutputStream} from './io.ts';

/** Whether to colour what is written: on a terminal that shows colours, unless NO_COLOR is set; FORCE_COLOR goes before both. */
export const hasColour = (stream: OutputStream, env: NodeJS.ProcessEnv): boolean =>
  detectCapabilities({env, stdinIsTerminal: false, stdoutIsTerminal: stream.isTTY === true}).colours !== 0;
