import {openSync} from 'node:fs';
import {ReadStream} from 'node:tty';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import {filterFlags, printFlags} from '#cli/arguments/shared-flags.ts';
import type {Io} from '#cli/io/io.ts';
import {isDumbTerm} from '#terminal/screen/capabilities.ts';

/** Flags of printing that the terminal UI has, too. */
const uiFlags = ['tail', 'since'];

/**
 * Returns what keys come from; undefined if there is no terminal to show a log on, or if the command line says which
 * lines are printed, or how.
 */
export const findKeys = ({values, switches}: ParsedArguments, {stdout, env}: Io): ReadStream | undefined => {
  const asksForText = [...filterFlags, ...printFlags].some(
    ({name}) => !uiFlags.includes(name) && (values.has(name) || switches.has(name)),
  );
  if (asksForText || stdout.isTTY !== true || isDumbTerm(env.TERM)) {
    return undefined;
  }
  if (process.stdin.isTTY) {
    return process.stdin;
  }
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
};
