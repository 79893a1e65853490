/**
 * What a kubelet writes at the end of a stream that it cannot follow on, since its runtime has removed the container:
 * containerd's words, and CRI-O's. No newline need stand before them.
 */
const removedWords =
  /rpc error: code = NotFound desc = (?:an error occurred when try to find|could not find) container "[0-9a-f]{64}".*$/s;

/** What it writes in place of a log that is gone, such as that of the instance before one that has ended, too. */
const goneWords = /^unable to retrieve container logs for (\w+:\/\/[0-9a-f]{64})$/;

/** Returns where such words begin in a text that no newline ends; -1 if they are not there. */
export const findRemovedWords = (text: string): number => text.search(removedWords);

/** Returns the runtime's id of the instance whose log a sentence says is gone; undefined if it says something else. */
export const readGoneInstance = (sentence: string): string | undefined => goneWords.exec(sentence)?.[1];
