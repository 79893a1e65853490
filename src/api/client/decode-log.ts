import {isTable, type Table} from '#base/table.ts';
import {asStrings, BlockTexts, type Texts} from '#log/window/texts.ts';
import {formatCount} from '#log/words/format-count.ts';
import {finishWork, visitEach, type Work} from '#log/work.ts';
import type {LogAnswer, PodRecord} from './answer.ts';
import {ApiError} from './api-error.ts';
import {decodeNumbering, withoutItems} from './decode-numbering.ts';
import {createFieldProblems, decodeObjects, describeType, type FieldProblems, listIn} from './field-reader.ts';
import {maskRecord} from './mask-record.ts';

/** As many items as lines with timestamps fit into the largest body. Shorter ones would take all memory. */
const linesMax = 2_000_000;

/**
 * Decodes the answer of the logs operation (section 2.5). Missing `data` is an error, never an empty log. Where an item
 * of `data` is no string, lines may be missing: `notLines` says where. Other items of the wrong type are skipped and
 * noted with their path. `events` repeats `data` and is not walked.
 * Throws an `ApiError` of kind `notInterface` or `tooLarge`.
 */
export const decodeLog = (json: unknown): DecodedLog<readonly string[]> => {
  const {value, ...rest} = finishWork(decodeLogInSteps(json));
  return {...rest, value: {...value, lines: asStrings(value.lines)}};
};

type DecodedLog<T extends Texts = Texts> = {
  value: LogAnswer<T>;
  skipped: readonly string[];
  /** A tag of the list of pods, which the service may leave out for a reader that names the tag. */
  podsTag?: string;
  hasPods?: boolean;
};

/** `decodeLog` as work that may pause. */
export function* decodeLogInSteps(json: unknown): Work<DecodedLog> {
  if (!isTable(json)) {
    throw new ApiError('notInterface', `the answer is not a log: expected an object, got ${describeType(json)}`);
  }
  const {podNamesList, sessionId, branchlog} = json;
  const data = json.data instanceof BlockTexts ? json.data : listIn(json.data, 'a log: data');
  if (data.length > linesMax) {
    throw new ApiError('tooLarge', `answer too large: more than ${formatCount(linesMax)} lines`);
  }
  const problems = createFieldProblems();
  const {lines, notLines} = yield* decodeLines(data);
  const numbered = decodeNumbering(branchlog, data.length, problems);
  const podsTag = numbered?.podsTag;
  // To a reader that has them the service need not send them again.
  const pods = podNamesList === undefined && podsTag !== undefined ? undefined : decodePods(podNamesList, problems);
  if (sessionId !== undefined && typeof sessionId !== 'string') {
    problems.add('sessionId', 'a string', sessionId);
  }
  return {
    value: {
      pods: pods ?? [],
      lines,
      ...(notLines.length > 0 && {notLines}),
      ...(numbered && {
        numbering: notLines.length > 0 ? withoutItems(numbered.numbering, lines.length, notLines) : numbered.numbering,
      }),
      ...(numbered?.unreadable && {unreadable: numbered.unreadable}),
      sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    },
    skipped: problems.list(),
    ...(podsTag !== undefined && {podsTag, hasPods: pods !== undefined}),
  };
}

function* decodeLines(data: BlockTexts | readonly unknown[]): Work<{lines: Texts; notLines: readonly number[]}> {
  if (data instanceof BlockTexts || data.every(item => typeof item === 'string')) {
    return {lines: data, notLines: []};
  }
  yield;
  const lines: string[] = [];
  const notLines: number[] = [];
  yield* visitEach(data, item => {
    if (typeof item === 'string') {
      lines.push(item);
    } else {
      notLines.push(lines.length);
    }
  });
  return {lines, notLines};
}

const decodePods = (list: unknown, problems: FieldProblems): readonly PodRecord[] => {
  if (!Array.isArray(list)) {
    problems.add('podNamesList', 'an array', list);
    return [];
  }
  return decodeObjects(list, 'podNamesList', problems, (item, path) => decodePod(item, path, problems));
};

const decodePod = (item: Table, path: string, problems: FieldProblems): PodRecord | undefined => {
  const {name, resourceVersion} = item;
  if (typeof name !== 'string' || name === '') {
    return problems.add(`${path}.name`, 'a string that is not empty', name);
  }
  if (typeof resourceVersion !== 'string') {
    problems.add(`${path}.resourceVersion`, 'a string', resourceVersion);
  }
  const metadata = decodeMetadata(item.metadata, `${path}.metadata`, problems);
  const createdAt = metadata.creationTimestamp;
  return {
    name,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    metadata,
    createdAt: typeof createdAt === 'string' ? createdAt : undefined,
  };
};

/** Returns the metadata with its secrets wrapped: orchestrators keep whole configurations in annotations. */
const decodeMetadata = (value: unknown, path: string, problems: FieldProblems): Table => {
  const metadata = maskRecord(value, path, problems);
  if (isTable(metadata)) {
    return metadata;
  }
  if (value !== undefined) {
    problems.add(path, 'an object', value);
  }
  return {};
};
