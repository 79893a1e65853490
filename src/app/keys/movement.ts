import type {Command} from './keymap.ts';

/** Returns how many rows a command moves: negative for up, infinite for the ends, undefined if it is not a movement. */
export const movement = (command: Command, pageRows: number): number | undefined => {
  switch (command) {
    case 'moveUp':
      return -1;
    case 'moveDown':
      return 1;
    case 'pageUp':
      return -pageRows;
    case 'pageDown':
      return pageRows;
    case 'halfPageUp':
      return -Math.ceil(pageRows / 2);
    case 'halfPageDown':
      return Math.ceil(pageRows / 2);
    case 'goFirst':
      return Number.NEGATIVE_INFINITY;
    case 'goLast':
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
};
