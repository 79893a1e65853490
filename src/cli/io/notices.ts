import {sanitise} from '#log/text/sanitise.ts';

/** Writes a sentence for the user to stderr, as a line `branchlog: …`. */
export type Say = (sentence: string) => void;

/** Sentences may contain foreign text (the name of a pod or branch), so they are sanitised. */
export const createSay = (stderr: NodeJS.WritableStream): Say => {
  // If stderr is closed nobody can read it, and that must not end the program.
  stderr.on('error', () => {});
  return sentence => {
    stderr.write(`branchlog: ${sanitise(sentence)}\n`);
  };
};
