import type {Writable} from 'node:stream';
import {sanitise} from '../../log/text/sanitise.ts';

/** Writes one sentence for people to stderr, as a line `branchlog: …`. */
export type Say = (sentence: string) => void;

/** A sentence may carry foreign words (a pod's name, a branch's), so it is made safe for a terminal. */
export const createSay = (stderr: Writable): Say => {
  // Nobody is left to be told when stderr is gone, and the program must not end for that.
  stderr.on('error', () => {});
  return sentence => {
    stderr.write(`branchlog: ${sanitise(sentence)}\n`);
  };
};
