import {open} from 'node:fs/promises';
import type {OpenedHandOver} from '#api/recording/hand-over-client.ts';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import {serviceInside} from '#cli/connection/asked-service.ts';
import {handOverSuffix, parseEntryLink} from '#log/words/deep-link.ts';

/** Bytes of a file that tell whether it is a hand-over. */
const beginBytes = 64;

const readBegin = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    const {buffer, bytesRead} = (await file?.read(Buffer.alloc(beginBytes), 0, beginBytes, 0)) ?? {};
    return buffer?.subarray(0, bytesRead) ?? Buffer.alloc(0);
  } catch {
    // A folder.
    return Buffer.alloc(0);
  } finally {
    await file?.close();
  }
};

/**
 * Opens the hand-over that the command line names; undefined if it names something else. `opens`: the part around the
 * place where its reader was comes first, or all of it at once. Throws a `RecordingError` if the file is not as it was
 * saved.
 */
export const findHandOver = async (
  {operands: [word, ...others], program = []}: Pick<ParsedArguments, 'operands' | 'program'>,
  opens: 'place' | 'whole',
): Promise<OpenedHandOver | undefined> => {
  if (word === undefined || word === '-' || others.length > 0 || program.length > 0) {
    return undefined;
  }
  const {path, number} = parseEntryLink(word);
  // A compressed file, a pipe and the like are left to others, unless the name says what it is.
  const isNamed = path.endsWith(handOverSuffix);
  const begin = await readBegin(path);
  if (begin.length === 0 || !(isNamed || begin.toString('latin1').startsWith('{"format":"branchlog recording"'))) {
    return undefined;
  }
  const [{isHandOver}, {openHandOver}] = await Promise.all([
    import('#api/recording/hand-over.ts'),
    import('#api/recording/hand-over-client.ts'),
  ]);
  return isNamed || isHandOver(begin) ? await openHandOver(path, {number, opens}) : undefined;
};

/** Returns what a hand-over is read by without screens: a service of its site, and the words that name its logs. */
export const readHandedOver = ({head, client, branches}: OpenedHandOver) => ({
  client,
  service: serviceInside(head.context.name, head.context.host, [head.site.id]),
  words: [head.site.id, ...branches.map(({_id}) => _id)],
  part: partOf(head.context.parts),
});

const partOf = (parts: string | undefined): 'pod' | 'container' | 'file' =>
  parts === 'none' ? 'file' : parts === 'containers' ? 'container' : 'pod';
